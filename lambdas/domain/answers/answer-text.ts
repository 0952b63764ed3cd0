import type { AnswerPiece } from './answer-pieces.ts';
import { isStructure } from './checked-answer.ts';

/** The text of an answer, while its checked pieces arrive. */
export class AnswerText {
  text = '';
  /** White space and signs of Markdown, which are shown when words follow or were before. */
  #gap = '';
  readonly #said = new Set<string>();

  /** What a piece adds to the text. `checked` is empty for a piece that is left out. */
  add(checked: string, piece: AnswerPiece): string {
    if (checked !== '' && isStructure(piece.text)) {
      this.#gap += checked + piece.trail;
      return '';
    }
    // A model that goes round in circles.
    const isNew = checked !== '' && !this.#said.has(checked);
    this.#said.add(checked);
    const part = isNew ? this.#added(this.#gap + checked) : '';
    this.#gap = isNew ? piece.trail : wider(this.#gap, piece.trail);
    return part;
  }

  /** What the end adds. */
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

/** Around sentences that are left out, a line end stays. */
const wider = (gap: string, trail: string): string =>
  (trail.includes('\n') && gap.trim() === '') || gap === '' ? trail : gap;
