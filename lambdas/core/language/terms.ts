import { normalWord } from './folding.ts';
import { PrefixFilter } from './prefix-filter.ts';
import { lettersKept, STEMMED_LANGUAGES, stem, stemmedLanguage } from './stemmer.ts';
import { GAP, PART, TokenCache } from './token-cache.ts';
import { endsWords, words } from './words.ts';

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

/** A piece's kind is its language, by the place in this list. */
const LANGUAGES: readonly string[] = ['', ...STEMMED_LANGUAGES];
const kindOf = (language: string): number => LANGUAGES.indexOf(stemmedLanguage(language));

/** The terms of a text are those of the pieces between the signs that end words: offsets and positions count from the start of each. */
const rule = (character: string) => (endsWords(character) ? GAP : PART);
const termsOf = new TokenCache(rule, readPiece);
const positionsOf = new TokenCache(rule, (piece, kind) => byPosition(readPiece(piece, kind)));

/** The terms of a text, stemmed in its language (a BCP 47 tag; '' or one without a stemmer: as the words are written). */
export function terms(text: string, language: string): readonly Term[] {
  const found: Term[] = [];
  let before = 0;
  termsOf.eachIn(text, kindOf(language), (inPiece, index) => {
    for (const { term, start, end, position } of inPiece)
      found.push({ term, start: index + start, end: index + end, position: before + position });
    before += (inPiece.at(-1)?.position ?? -1) + 1;
  });
  return found;
}

/** The same terms without their offsets and without an object for each: an index is made of them. */
export function termsByPosition(text: string, language: string): TermsByPosition {
  const found: (readonly string[])[] = [];
  positionsOf.eachIn(text, kindOf(language), (positions) => {
    for (let at = 0; at < positions.length; at++) found.push(positions[at] as readonly string[]);
  });
  return found;
}

/** Those of a text's terms that are sought. Most words begin otherwise than all of these, and are not read at all. */
export function findTerms(
  sought: ReadonlySet<string>,
  text: string,
  language: string,
): readonly Omit<Term, 'position'>[] {
  const stemmed = stemmedLanguage(language);
  const letters = lettersKept(stemmed);
  if (letters === 0) return terms(text, stemmed).filter(({ term }) => sought.has(term));
  const kind = kindOf(stemmed);
  const found: Omit<Term, 'position'>[] = [];
  new PrefixFilter(sought, letters).eachIn(text, (from, to) => {
    for (const { term, start, end } of termsOf.of(text, from, to, kind))
      if (sought.has(term)) found.push({ term, start: from + start, end: from + end });
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
    const beside = positions[position];
    if (beside) beside.push(term);
    else positions.push([term]);
  }
  return positions;
}

/** "e-mail" is also "email". */
function termOf(raw: string, language: string): string {
  const word = normalWord(raw);
  return HYPHENATED.test(word) ? stem(word.replace(HYPHENS, ''), language) : stem(word, language);
}
