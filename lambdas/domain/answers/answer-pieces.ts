import { visibleText } from './visible-text.ts';

/** A sentence or line of a model's answer, with the white space around it. */
export type AnswerPiece = {
  /** White space, and the sign of a list item, a heading or a quotation. */
  readonly lead: string;
  readonly text: string;
  readonly trail: string;
  /** The cited numbers, in order and distinct. */
  readonly cited: readonly number[];
};

/** Characters. Text without a sentence end is cut at this length. */
const MAX_PIECE_LENGTH = 2_000;
/** Characters examined for a sentence end. The surplus holds the context that follows a piece of the longest length. */
const MAX_READ = MAX_PIECE_LENGTH + 500;
const OPEN = String.raw`\\?[[\u3010\uff3b]`;
const CLOSE = String.raw`\\?[\]\u3011\uff3d]`;
const INSIDE = String.raw`[^\n\]\u3011\uff3d]`;
/**
 * `1`, `^1`, `#1`, `Source 1`, `1†source`, and the digits of other scripts. It neither begins nor ends with white
 * space: `BETWEEN` has all of it, so that a text can be divided in one way only. Two ways would take exponential time.
 */
const IN_SOURCE = String.raw`[^\s,;[\]\u3010\u3011\uff3b\uff3d]`;
const NUMBER = String.raw`(?:(?:[\^#]|[Ss]ources?)\s*)?\p{N}{1,9}(?:\u2020${IN_SOURCE}{0,40}(?!${IN_SOURCE}))?`;
const BETWEEN = String.raw`(?:\s*(?:[,;/&\u2013-]|\b(?:and|und|et|y|e|en)\b)\s*(?:${OPEN}\s*)?|\s+|${OPEN}\s*)`;
/** Models write `[1]` in many ways: `[[1]]`, `[1, 2]`, `[1-3]`, `\[1\]`, `【1†source】`. */
const CITATION =
  String.raw`(?=(?:${OPEN}){1,3}${INSIDE}{1,80}${CLOSE})(?:${OPEN}){1,3}\s*${NUMBER}` +
  String.raw`(?:${BETWEEN}${NUMBER}){0,19}\s*(?:${CLOSE}){1,3}`;
const CITATIONS = new RegExp(String.raw`\s?${CITATION}`, 'gu');
/** The start of a sentence: no citation, and no bracket that may become one. */
const NEXT = String.raw`(?=\S)(?!${CITATION})(?!(?:${OPEN})+${INSIDE}{0,80}$|\\$)`;
const FULL_STOP = String.raw`[.!?\u2026](?<!\b(?:e\.g|i\.e|cf|vs|\p{Lu})\.)(?<!^\s*\d{1,3}\.)["'\u2019\u201d)*_]{0,3}`;
const END_OF_PIECE = new RegExp(
  String.raw`^[\s\S]*?(?:${FULL_STOP}(?:\s?${CITATION})*[ \t]+(?=${NEXT})` +
    String.raw`|[\u3002\uff01\uff1f](?:\s?${CITATION})*(?=${NEXT})|(?<!\n)\n+(?=[^\n]))`,
  'u',
);
const PARTS = /^(\s*(?:(?:[-*+\u2022]|\d{1,3}[.)]|#{1,6}|>)\s+)*)([\s\S]*?)(\s*)$/;

/** Cuts a text that arrives in parts into sentences and lines, each soon after its citations are complete. */
export class AnswerPieces {
  #rest = '';
  /** Length at which to look for a sentence end again: a sixteenth longer each time, to keep the total cost linear. */
  #readAt = 0;

  add(part: string): readonly AnswerPiece[] {
    this.#rest += part;
    return this.#rest.length < this.#readAt ? [] : this.#cut();
  }

  end(): readonly AnswerPiece[] {
    const found = this.#cut();
    const last = this.#rest;
    this.#rest = '';
    return last.trim() === '' ? found : [...found, pieceOf(last)];
  }

  #cut(): readonly AnswerPiece[] {
    const found: AnswerPiece[] = [];
    for (;;) {
      const [piece] = END_OF_PIECE.exec(this.#rest.slice(0, MAX_READ)) ?? [];
      if (piece === undefined && this.#rest.length <= MAX_PIECE_LENGTH) break;
      const next = piece ?? this.#rest.slice(0, MAX_PIECE_LENGTH);
      this.#rest = this.#rest.slice(next.length);
      found.push(pieceOf(next));
    }
    const { length } = this.#rest;
    this.#readAt = Math.min(length + Math.floor(length / 16), MAX_PIECE_LENGTH + 1);
    return found;
  }
}

function pieceOf(raw: string): AnswerPiece {
  const [, lead = '', body = '', trail = ''] = PARTS.exec(visibleText(raw)) ?? [];
  const numbers = (body.match(CITATIONS) ?? []).flatMap((citation) =>
    (citation.normalize('NFKC').match(/\d+/g) ?? []).map(Number),
  );
  const text = body.replace(CITATIONS, '').trimEnd();
  return { lead, text, trail, cited: [...new Set(numbers)] };
}
