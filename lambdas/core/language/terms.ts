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
  indexedOf.forEach(text, kindOf(language), ({ typed }) => {
    for (let i = 0; i < typed.length; i++) found.push(typed[i] as readonly string[]);
  });
  return found;
}

export type IndexedTerms = {
  /** With the ends of dotted identifiers, by which a query may name them. */
  readonly terms: TermsByPosition;
  /** The words that `isSpelled`, of identifiers the whole, as often as they occur. */
  readonly spelled: readonly string[];
};

/** What is indexed of a text, in one pass. */
export function indexedTerms(text: string, language: string): IndexedTerms {
  const terms: (readonly string[])[] = [];
  const spelled: string[] = [];
  indexedOf.forEach(text, kindOf(language), (inPiece) => {
    for (let i = 0; i < inPiece.terms.length; i++) terms.push(inPiece.terms[i] as readonly string[]);
    for (let i = 0; i < inPiece.spelled.length; i++) spelled.push(inPiece.spelled[i] as string);
  });
  return { terms, spelled };
}

/** The terms of a text that are among `wanted`. Words that begin differently from all of these are not read. */
export function findTerms(
  wanted: ReadonlySet<string>,
  text: string,
  language: string,
): readonly Omit<Term, 'position'>[] {
  const stemmed = stemmedLanguage(language);
  const letters = lettersKept(stemmed);
  if (letters === 0) return terms(text, stemmed).filter(({ term }) => wanted.has(term));
  const kind = kindOf(stemmed);
  const found: Omit<Term, 'position'>[] = [];
  new PrefixFilter(wanted, letters).forEach(text, (from, to) => {
    for (const { term, start, end } of termsOf.of(text, from, to, kind))
      if (wanted.has(term)) found.push({ term, start: from + start, end: from + end });
  });
  return found;
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

type IndexedPiece = IndexedTerms & { readonly typed: TermsByPosition };

function indexedPiece(piece: string, kind: number): IndexedPiece {
  const found = readPiece(piece, kind);
  const typed = byPosition(found);
  const terms = DOTTED.test(piece)
    ? byPosition(readWords(piece, kind, ({ spans, ends = [] }) => [...spans, ...ends]))
    : typed;
  const wholes = found.filter(({ position }, i) => position !== found[i - 1]?.position);
  const spelled = wholes.map(({ spelling }) => fold(spelling)).filter(isSpelled);
  return { typed, terms, spelled };
}

function byPosition(found: readonly Term[]): TermsByPosition {
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
