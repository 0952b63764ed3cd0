import { fold, normalWord } from './folding.ts';
import { PrefixFilter } from './prefix-filter.ts';
import { isSpelled } from './spelling.ts';
import { lettersKept, STEMMED_LANGUAGES, stem, stemmedLanguage } from './stemmer.ts';
import { GAP, PART, TokenCache } from './token-cache.ts';
import { endsWords, type Span, type Word, words } from './words.ts';

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

/** The kind of a cached piece is the index of its language. */
const LANGUAGES: readonly string[] = ['', ...STEMMED_LANGUAGES];
const kindOf = (language: string): number => LANGUAGES.indexOf(stemmedLanguage(language));

/** Offsets and positions of cached terms count from the start of their piece. */
const rule = (character: string) => (endsWords(character) ? GAP : PART);
const termsOf = new TokenCache(rule, readPiece);
const indexedOf = new TokenCache(rule, indexedPiece);

/** The terms of a text, stemmed in its language (a BCP 47 tag), or only folded if there is no stemmer for it. */
export function terms(text: string, language: string): readonly Term[] {
  const found: Term[] = [];
  let before = 0;
  termsOf.forEach(text, kindOf(language), (inPiece, index) => {
    for (const { term, start, end, position } of inPiece)
      found.push({ term, start: index + start, end: index + end, position: before + position });
    before += (inPiece.at(-1)?.position ?? -1) + 1;
  });
  return found;
}

/** The same terms without offsets and without an object each. */
export function termsByPosition(text: string, language: string): TermsByPosition {
  const found: (readonly string[])[] = [];
  for (const { typed } of indexedOf.valuesOf(text, kindOf(language)))
    for (let i = 0; i < typed.length; i++) found.push(typed[i] as readonly string[]);
  return found;
}

/** The same terms folded only (`words`), and stemmed. */
export function wordsAndStems(text: string, language: string) {
  return indexedOf.valuesOf(text, kindOf(language)).map(({ folded, typed }) => ({ words: folded, stems: typed }));
}

export type IndexedTerms = {
  /** With the ends of dotted identifiers, by which a query may name them. */
  readonly terms: TermsByPosition;
  /** How many terms these are, and their characters. */
  readonly occurrences: number;
  readonly characters: number;
  /** The words that `isSpelled`, of identifiers the whole. Nearly all are distinct. */
  readonly spelled: readonly string[];
};

let readers = 0;

/** Reads the texts of a page. Most words that an earlier text had are left out of `spelled`. */
export class TermReader {
  readonly #kind: number;
  readonly #id = ++readers;

  constructor(language: string) {
    this.#kind = kindOf(language);
  }

  /** What is indexed of a text, in one pass. */
  read(text: string): IndexedTerms {
    const terms: (readonly string[])[] = [];
    const spelled: string[] = [];
    let [occurrences, characters] = [0, 0];
    for (const piece of indexedOf.valuesOf(text, this.#kind)) {
      for (let i = 0; i < piece.terms.length; i++) terms.push(piece.terms[i] as readonly string[]);
      occurrences += piece.occurrences;
      characters += piece.characters;
      if (piece.lastReader === this.#id) continue;
      piece.lastReader = this.#id;
      for (let i = 0; i < piece.spelled.length; i++) spelled.push(piece.spelled[i] as string);
    }
    return { terms, occurrences, characters, spelled };
  }
}

export const indexedTerms = (text: string, language: string): IndexedTerms => new TermReader(language).read(text);

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
    const kind = kindOf(stemmed);
    const found: Omit<Term, 'position'>[] = [];
    filter.forEach(text, (from, to) => {
      for (const { term, start, end } of termsOf.of(text, from, to, kind))
        if (wanted.has(term)) found.push({ term, start: from + start, end: from + end });
    });
    return found;
  };
}

/** `spelling` is that of the word itself, before it is stemmed. */
type SpelledTerm = Term & { readonly spelling: string };

function readPiece(text: string, kind: number): readonly SpelledTerm[] {
  return readWords(text, kind, ({ spans }) => spans);
}

function readWords(text: string, kind: number, spansOf: (word: Word) => readonly Span[]): readonly SpelledTerm[] {
  const language = LANGUAGES[kind] ?? '';
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

type IndexedPiece = IndexedTerms & {
  readonly typed: TermsByPosition;
  readonly folded: TermsByPosition;
  lastReader: number;
};

/** Plain words, without a capital inside. */
const PLAIN_WORD = /^[A-Z0-9]*[a-z0-9]+$|^[A-Z0-9]+$/;
/** Never part of a word. */
const TRAILING = /[.:]+$/;

function indexedPiece(piece: string, kind: number): IndexedPiece {
  const text = piece.replace(TRAILING, '');
  if (PLAIN_WORD.test(text)) return indexedWord(normalWord(text), kind);
  const found = readPiece(text, kind);
  const typed = byPosition(found);
  const terms = DOTTED.test(text)
    ? byPosition(readWords(text, kind, ({ spans, ends = [] }) => [...spans, ...ends]))
    : typed;
  const folded = byPosition(found.map(({ spelling, position }) => ({ term: fold(spelling), position })));
  const all = terms.flat();
  const characters = all.reduce((sum, { length }) => sum + length, 0);
  const spelled = folded.map(([whole = '']) => whole).filter(isSpelled);
  return { terms, occurrences: all.length, characters, spelled, typed, folded, lastReader: 0 };
}

function indexedWord(word: string, kind: number): IndexedPiece {
  const term = stem(word, LANGUAGES[kind] ?? '');
  const typed = [[term]];
  const folded = term === word ? typed : [[word]];
  const spelled = isSpelled(word) ? [word] : [];
  return { terms: typed, occurrences: 1, characters: term.length, spelled, typed, folded, lastReader: 0 };
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
