import { detached } from './detached.ts';
import { normalWord } from './folding.ts';
import { eachPiece } from './pieces.ts';
import { primaryLanguage, stem } from './stemmer.ts';
import { words } from './words.ts';

/** What is indexed and searched for a word: never empty, without white space, at most 64 characters. */
export type Term = {
  readonly term: string;
  /** Offsets of the word into the text. */
  readonly start: number;
  readonly end: number;
  /** Counts the words; an identifier and its parts share one, the whole first. */
  readonly position: number;
};

const HYPHENATED = /^\p{L}[\p{L}\p{M}]*(?:[-\u2010\u2011]\p{L}[\p{L}\p{M}]*)+$/u;
const HYPHENS = /[-\u2010\u2011]/g;

/** Longer ones rarely come again. */
const LONGEST_KEPT = 32;
const KEPT_PIECES = 50_000;

/** Offsets and positions count from the start of the piece. */
type Piece = { readonly terms: readonly Term[]; readonly positions: number };
const kept = new Map<string, Map<string, Piece>>();

/** The terms of a text, stemmed in its language (a BCP 47 tag; '' or one without a stemmer: as the words are written). */
export function terms(text: string, language: string): readonly Term[] {
  const primary = primaryLanguage(language);
  const pieces = kept.get(primary) ?? new Map<string, Piece>();
  kept.set(primary, pieces);
  const found: Term[] = [];
  let position = 0;
  // White space ends every word: the terms of a text are those of its pieces.
  eachPiece(text, (written, index) => {
    const piece = pieceOf(written, primary, pieces);
    for (const { term, start, end, position: within } of piece.terms)
      found.push({ term, start: index + start, end: index + end, position: position + within });
    position += piece.positions;
  });
  return found;
}

/** The same pieces come again and again. */
function pieceOf(written: string, language: string, pieces: Map<string, Piece>): Piece {
  if (written.length > LONGEST_KEPT) return readPiece(written, language);
  const known = pieces.get(written);
  if (known) return known;
  const own = detached(written);
  const piece = readPiece(own, language);
  if (pieces.size >= KEPT_PIECES) pieces.clear();
  pieces.set(own, piece);
  return piece;
}

function readPiece(text: string, language: string): Piece {
  const found: Term[] = [];
  let position = 0;
  for (const word of words(text)) {
    const before = found.length;
    for (const { start, end } of word.spans) {
      const term = termOf(text.slice(start, end), language);
      if (term !== '') found.push({ term, start, end, position });
    }
    if (found.length > before) position++;
  }
  return { terms: found, positions: position };
}

/** "e-mail" is also "email". */
function termOf(raw: string, language: string): string {
  const word = normalWord(raw);
  return HYPHENATED.test(word) ? stem(word.replace(HYPHENS, ''), language) : stem(word, language);
}
