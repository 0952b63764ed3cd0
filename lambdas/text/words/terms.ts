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
  /** Number of the word in the text; an identifier and its parts share one, the whole first. */
  readonly position: number;
};

/** The terms at each position of a text: one, or an identifier and its parts. */
export type TermsByPosition = readonly (readonly string[])[];

const HYPHENATED = /^\p{L}[\p{L}\p{M}]*(?:[-\u2010\u2011]\p{L}[\p{L}\p{M}]*)+$/u;
/** Others have no ends. */
const DOTTED = /\.|::/;
const HYPHENS = /[-\u2010\u2011]/g;

/** The terms of a text, stemmed in its language (a BCP 47 tag), or only folded if there is no stemmer for it. */
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

/** The same terms without offsets and without an object each. */
export const termsByPosition = (text: string, language: string): TermsByPosition =>
  piecesOf(text, language).flatMap(({ typed }) => typed);

/** The same terms folded only (`words`), and stemmed. */
export const wordsAndStems = (text: string, language: string) =>
  piecesOf(text, language).map(({ folded, typed }) => ({ words: folded, stems: typed }));

export type IndexedTerms = {
  /** With the ends of dotted identifiers, by which a query may name them. */
  readonly terms: TermsByPosition;
  /** How many terms these are, and their characters. */
  readonly occurrences: number;
  readonly characters: number;
  /** The words that `isSpelled`, of identifiers the whole. */
  readonly spelled: readonly string[];
};

/** What is indexed of a text, in one pass. */
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

/** Finds the terms of texts that are among `wanted`. Words that begin differently from all of these are not read. */
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

/** `spelling` is that of the word itself, before it is stemmed. */
type SpelledTerm = Term & { readonly spelling: string };

/** What a part of a text with no word across its ends holds; offsets and positions count from its start. */
type Piece = IndexedTerms & {
  readonly spelledTerms: readonly SpelledTerm[];
  readonly typed: TermsByPosition;
  readonly folded: TermsByPosition;
};

const known = new PieceCache(readPiece);

const piecesOf = (text: string, language: string): readonly Piece[] =>
  known.of(independentPieces(text), stemmedLanguage(language));

/** Plain words, without a capital inside, and what may follow a word. */
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

/** The word in lower case and without its hyphens, so that "e-mail" and "email" are one term. */
function spellingOf(raw: string): string {
  const word = normalWord(raw);
  return HYPHENATED.test(word) ? word.replace(HYPHENS, '') : word;
}
