import { fold, normalWord } from './folding.ts';
import { PieceCache } from './piece-cache.ts';
import { PrefixFilter } from './prefix-filter.ts';
import { isSpelled } from './spelling.ts';
import { lettersKept, stem, stemmedLanguage } from './stemmer.ts';
import { independentPieces, type Span, type Word, words } from './words.ts';

/** The indexed and searched form of a word: never empty, without white space, at most 64 characters. */
export type Term = {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  /** Number of the word in the text. An identifier and its parts share one; the whole comes first. */
  readonly position: number;
};

/** The terms at each position of a text: one, or an identifier and its parts. */
export type TermsByPosition = readonly (readonly string[])[];

const HYPHENATED = /^\p{L}[\p{L}\p{M}]*(?:[-\u2010\u2011]\p{L}[\p{L}\p{M}]*)+$/u;
/** Only identifiers with these signs have ends. */
const DOTTED = /\.|::/;
const HYPHENS = /[-\u2010\u2011]/g;

/** Returns the terms of a text, stemmed in its language (a BCP 47 tag), or only folded if it has no stemmer. */
export function terms(text: string, language: string): readonly Term[] {
  const found: Term[] = [];
  const pieces = independentPieces(text);
  let [before, from] = [0, 0];
  for (const [i, { spelledTerms }] of known.of(pieces, stemmedLanguage(language)).entries()) {
    const piece = pieces[i] ?? '';
    const at = text.indexOf(piece, from);
    for (const { term, start, end, position } of spelledTerms)
      found.push({ term, start: at + start, end: at + end, position: before + position });
    before += (spelledTerms.at(-1)?.position ?? -1) + 1;
    from = at + piece.length;
  }
  return found;
}

/** Returns the same terms without offsets, and without creating an object for each. */
export const termsByPosition = (text: string, language: string): TermsByPosition =>
  piecesOf(text, language).flatMap(({ typed }) => typed);

/** Returns the same terms twice: only folded (`words`), and stemmed. */
export const wordsAndStems = (text: string, language: string) =>
  piecesOf(text, language).map(({ folded, typed }) => ({ words: folded, stems: typed }));

export type IndexedTerms = {
  /** Includes the ends of dotted identifiers, because a query may name an identifier by its end. */
  readonly terms: TermsByPosition;
  /** The number of terms, and the sum of their lengths in characters. */
  readonly occurrences: number;
  readonly characters: number;
  /** The words for which `isSpelled` holds. Of an identifier, only the whole counts. */
  readonly spelled: readonly string[];
};

/** Returns everything that is indexed of a text, in one pass. */
export function indexedTerms(text: string, language: string): IndexedTerms {
  const terms: (readonly string[])[] = [];
  const spelled: string[] = [];
  let [occurrences, characters] = [0, 0];
  for (const piece of piecesOf(text, language)) {
    for (const samePosition of piece.terms) terms.push(samePosition);
    for (const word of piece.spelled) spelled.push(word);
    occurrences += piece.occurrences;
    characters += piece.characters;
  }
  return { terms, occurrences, characters, spelled };
}

/**
 * Returns a function that finds the terms in `wanted` in a text. It skips words whose beginning rules out all of them.
 */
export function termsAmong(
  wanted: ReadonlySet<string>,
): (text: string, language: string) => readonly Omit<Term, 'position'>[] {
  const filters = new Map<number, PrefixFilter>();
  return (text, language) => {
    const stemmed = stemmedLanguage(language);
    const letters = lettersKept(stemmed);
    if (letters === 0) return terms(text, stemmed).filter(({ term }) => wanted.has(term));
    const filter = filters.get(letters) ?? new PrefixFilter(wanted, letters);
    filters.set(letters, filter);
    const found: Omit<Term, 'position'>[] = [];
    filter.forEach(text, (from, to) => {
      for (const { spelledTerms } of known.of([text.slice(from, to)], stemmed))
        for (const { term, start, end } of spelledTerms)
          if (wanted.has(term)) found.push({ term, start: from + start, end: from + end });
    });
    return found;
  };
}

/** A term with the word before stemming. */
type SpelledTerm = Term & { readonly spelling: string };

/**
 * The terms of an independent piece of a text: no word crosses its ends. Offsets and positions count from its start.
 */
type Piece = IndexedTerms & {
  readonly spelledTerms: readonly SpelledTerm[];
  readonly typed: TermsByPosition;
  readonly folded: TermsByPosition;
};

const known = new PieceCache(readPiece);

const piecesOf = (text: string, language: string): readonly Piece[] =>
  known.of(independentPieces(text), stemmedLanguage(language));

/** A plain word without a capital inside, and the punctuation that may follow it. */
const PLAIN_WORD = /^([A-Z0-9]*[a-z][a-z0-9]*|[A-Z0-9]+)[.:]*$/;

function readPiece(text: string, language: string): Piece {
  const plain = PLAIN_WORD.exec(text)?.[1];
  return plain === undefined ? readIdentifiers(text, language) : readWord(plain, language);
}

function readWord(text: string, language: string): Piece {
  const spelling = normalWord(text);
  const term = stem(spelling, language);
  const typed = [[term]];
  return {
    terms: typed,
    occurrences: 1,
    characters: term.length,
    spelled: isSpelled(spelling) ? [spelling] : [],
    spelledTerms: [{ term, spelling, start: 0, end: text.length, position: 0 }],
    typed,
    folded: term === spelling ? typed : [[spelling]],
  };
}

function readIdentifiers(text: string, language: string): Piece {
  const spelledTerms = readWords(text, language, ({ spans }) => spans);
  const typed = byPosition(spelledTerms);
  const terms = DOTTED.test(text)
    ? byPosition(readWords(text, language, ({ spans, ends = [] }) => [...spans, ...ends]))
    : typed;
  const folded = byPosition(spelledTerms.map(({ spelling, position }) => ({ term: fold(spelling), position })));
  const all = terms.flat();
  return {
    terms,
    occurrences: all.length,
    characters: all.reduce((sum, { length }) => sum + length, 0),
    spelled: folded.map(([whole = '']) => whole).filter(isSpelled),
    spelledTerms,
    typed,
    folded,
  };
}

function readWords(text: string, language: string, spansOf: (word: Word) => readonly Span[]): readonly SpelledTerm[] {
  const found: SpelledTerm[] = [];
  let position = 0;
  for (const word of words(text)) {
    const before = found.length;
    for (const { start, end } of spansOf(word)) {
      const spelling = spellingOf(text.slice(start, end));
      const term = stem(spelling, language);
      if (term !== '') found.push({ term, spelling, start, end, position });
    }
    if (found.length > before) position++;
  }
  return found;
}

function byPosition(found: readonly Pick<Term, 'term' | 'position'>[]): TermsByPosition {
  const positions: string[][] = [];
  for (const { term, position } of found) {
    const samePosition = positions[position];
    if (samePosition) samePosition.push(term);
    else positions.push([term]);
  }
  return positions;
}

/** Returns the word in lower case and without hyphens, so that "e-mail" and "email" are one term. */
function spellingOf(raw: string): string {
  const word = normalWord(raw);
  return HYPHENATED.test(word) ? word.replace(HYPHENS, '') : word;
}
