import { normalWord } from './folding.ts';
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

/** The terms of a text, stemmed in its language (a BCP 47 tag; '' or one without a stemmer: as the words are written). */
export function terms(text: string, language: string): readonly Term[] {
  const primary = primaryLanguage(language);
  const found: Term[] = [];
  let position = 0;
  for (const word of words(text)) {
    const before = found.length;
    for (const { start, end } of word.spans) {
      const term = cachedTermOf(text.slice(start, end), primary);
      if (term !== '') found.push({ term, start, end, position });
    }
    if (found.length > before) position++;
  }
  return found;
}

const LONGEST_CACHED = 32;
const CACHED_WORDS = 20_000;
const caches = new Map<string, Map<string, string>>();

/** The same words come again and again. */
function cachedTermOf(raw: string, language: string): string {
  if (raw.length > LONGEST_CACHED) return termOf(raw, language);
  const cache = caches.get(language) ?? new Map<string, string>();
  caches.set(language, cache);
  const known = cache.get(raw);
  if (known !== undefined) return known;
  const term = termOf(raw, language);
  if (cache.size >= CACHED_WORDS) cache.clear();
  cache.set(raw, term);
  return term;
}

/** "e-mail" is also "email". */
function termOf(raw: string, language: string): string {
  const word = normalWord(raw);
  return HYPHENATED.test(word) ? stem(word.replace(HYPHENS, ''), language) : stem(word, language);
}
