import type { AnswerPiece } from './answer-pieces.ts';
import { isStructure } from './checked-answer.ts';

/** Assembles the text of an answer from its checked pieces. */
export class AnswerText {
  text = '';
  /** Pending white space and Markdown structure. Written before the next words, or at the end of the answer. */
  #gap = '';
  readonly #said = new Set<string>();

  /** Adds a piece and returns the text to append. `checked` is empty if the piece is left out. */
  add(checked: string, piece: AnswerPiece): string {
    if (checked !== '' && isStructure(piece.text)) {
      this.#gap += checked + piece.trail;
      return '';
    }
    // Some models repeat sentences: each is written once.
    const isNew = checked !== '' && !this.#said.has(checked);
    this.#said.add(checked);
    const part = isNew ? this.#added(this.#gap + checked) : '';
    this.#gap = isNew ? piece.trail : wider(this.#gap, piece.trail);
    return part;
  }

  /** Ends the text and returns the part to append: pending structure, and the notes in italics. */
  end(notes: readonly string[]): string {
    if (this.text === '') return '';
    return this.#added(this.#gap.trimEnd() + (notes.length > 0 ? `\n\n_${notes.join(' ')}_` : ''));
  }

  #added(part: string): string {
    const added = this.text === '' ? part.trimStart() : part;
    this.text += added;
    return added;
  }
}

/** Returns the gap to keep around a piece that is left out. Keeps a line end. */
const wider = (gap: string, trail: string): string =>
  (trail.includes('\n') && gap.trim() === '') || gap === '' ? trail : gap;
