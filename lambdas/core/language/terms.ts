import { normalWord } from './folding.ts';
import { PrefixFilter } from './prefix-filter.ts';
import { lettersKept, STEMMED_LANGUAGES, stem, stemmedLanguage } from './stemmer.ts';
import { GAP, PART, TokenCache } from './token-cache.ts';
import { endsWords, words } from './words.ts';

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
const HYPHENS = /[-\u2010\u2011]/g;

/** The kind of a cached piece is the index of its language. */
const LANGUAGES: readonly string[] = ['', ...STEMMED_LANGUAGES];
const kindOf = (language: string): number => LANGUAGES.indexOf(stemmedLanguage(language));

/** Offsets and positions of cached terms count from the start of their piece. */
const rule = (character: string) => (endsWords(character) ? GAP : PART);
const termsOf = new TokenCache(rule, readPiece);
const positionsOf = new TokenCache(rule, (piece, kind) => byPosition(readPiece(piece, kind)));

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

/** The same terms without offsets and without an object each, for indexing. */
export function termsByPosition(text: string, language: string): TermsByPosition {
  const found: (readonly string[])[] = [];
  positionsOf.forEach(text, kindOf(language), (positions) => {
    for (let i = 0; i < positions.length; i++) found.push(positions[i] as readonly string[]);
  });
  return found;
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

function readPiece(text: string, kind: number): readonly Term[] {
  const language = LANGUAGES[kind] ?? '';
  const found: Term[] = [];
  let position = 0;
  for (const { spans } of words(text)) {
    const before = found.length;
    for (const { start, end } of spans) {
      const term = termOf(text.slice(start, end), language);
      if (term !== '') found.push({ term, start, end, position });
    }
    if (found.length > before) position++;
  }
  return found;
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

/** The stem of the word without its hyphens, so that "e-mail" and "email" are one term. */
function termOf(raw: string, language: string): string {
  const word = normalWord(raw);
  return HYPHENATED.test(word) ? stem(word.replace(HYPHENS, ''), language) : stem(word, language);
}
