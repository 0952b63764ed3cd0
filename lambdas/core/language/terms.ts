import { Beginnings } from './beginnings.ts';
import { detached } from './detached.ts';
import { normalWord } from './folding.ts';
import { eachPiece } from './pieces.ts';
import { lettersKept, stem, stemmedLanguage } from './stemmer.ts';
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

/** The terms at each position of a text: one, or an identifier and its parts. */
export type TermsByPosition = readonly (readonly string[])[];

const HYPHENATED = /^\p{L}[\p{L}\p{M}]*(?:[-\u2010\u2011]\p{L}[\p{L}\p{M}]*)+$/u;
const HYPHENS = /[-\u2010\u2011]/g;

/** Longer ones rarely come again. */
const LONGEST_KEPT = 32;
const KEPT_PIECES = 50_000;

/** A run of characters between white space; offsets and positions count from its start. */
type Piece = { readonly terms: readonly Term[]; readonly positions: TermsByPosition };
const kept = new Map<string, Map<string, Piece>>();

/** The terms of a text, stemmed in its language (a BCP 47 tag; '' or one without a stemmer: as the words are written). */
export function terms(text: string, language: string): readonly Term[] {
  const found: Term[] = [];
  let before = 0;
  eachPieceRead(text, language, (piece, index) => {
    for (const { term, start, end, position } of piece.terms)
      found.push({ term, start: index + start, end: index + end, position: before + position });
    before += piece.positions.length;
  });
  return found;
}

/** The same terms without their offsets and without an object for each: an index is made of them. */
export function termsByPosition(text: string, language: string): TermsByPosition {
  const found: (readonly string[])[] = [];
  eachPieceRead(text, language, ({ positions }) => {
    for (const terms of positions) found.push(terms);
  });
  return found;
}

/** White space ends every word: the terms of a text are those of its pieces. */
function eachPieceRead(text: string, language: string, visit: (piece: Piece, start: number) => void): void {
  const pieceOf = pieceReader(stemmedLanguage(language));
  eachPiece(text, (written, start) => visit(pieceOf(written), start));
}

/** Those of a text's terms that are sought. Most words begin otherwise than all of these, and are not read at all. */
export function soughtTerms(
  sought: ReadonlySet<string>,
  text: string,
  language: string,
): readonly Omit<Term, 'position'>[] {
  const stemmed = stemmedLanguage(language);
  const letters = lettersKept(stemmed);
  if (letters === 0) return terms(text, stemmed).filter(({ term }) => sought.has(term));
  const pieceOf = pieceReader(stemmed);
  const found: Omit<Term, 'position'>[] = [];
  new Beginnings(sought, letters).eachIn(text, (from, to) => {
    for (const { term, start, end } of pieceOf(text.slice(from, to)).terms)
      if (sought.has(term)) found.push({ term, start: from + start, end: from + end });
  });
  return found;
}

/** The same pieces come again and again. */
function pieceReader(language: string): (written: string) => Piece {
  const pieces = kept.get(language) ?? new Map<string, Piece>();
  kept.set(language, pieces);
  return (written) => {
    if (written.length > LONGEST_KEPT) return readPiece(written, language);
    const known = pieces.get(written);
    if (known) return known;
    const own = detached(written);
    const piece = readPiece(own, language);
    if (pieces.size >= KEPT_PIECES) pieces.clear();
    pieces.set(own, piece);
    return piece;
  };
}

function readPiece(text: string, language: string): Piece {
  const found: Term[] = [];
  const positions: (readonly string[])[] = [];
  for (const word of words(text)) {
    const position = positions.length;
    const beside: string[] = [];
    for (const { start, end } of word.spans) {
      const term = termOf(text.slice(start, end), language);
      if (term === '') continue;
      found.push({ term, start, end, position });
      beside.push(term);
    }
    if (beside.length > 0) positions.push(beside);
  }
  return { terms: found, positions };
}

/** "e-mail" is also "email". */
function termOf(raw: string, language: string): string {
  const word = normalWord(raw);
  return HYPHENATED.test(word) ? stem(word.replace(HYPHENS, ''), language) : stem(word, language);
}
