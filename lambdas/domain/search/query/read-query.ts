import type { Phrase } from '../../ports/index-reader.ts';
import { parseQuery, stemmedPhrases } from './query-syntax.ts';
import { typedWords } from './query-words.ts';

/** One way to read the words of a query. */
export type Reading = {
  readonly text: string;
  /** Texts in quotes. Their words are not corrected. */
  readonly quoted: readonly string[];
  /** Whether the last word may be the beginning of a word. */
  readonly completes: boolean;
  readonly exact: boolean;
  /**
   * Which unknown words to correct. Each level includes those before it:
   * - `likely`: words that are neither in the dictionary nor possible names.
   * - `names`: possible names too.
   * - `other`: dictionary words that lack a letter too, to words outside the dictionary and with lower scores.
   * - `any`: the one unknown word to any word, if other words are known.
   */
  readonly correctsWords?: 'likely' | 'names' | 'other' | 'any';
  /** Corrects one word that the site has but that is probably a misspelling. */
  readonly correctsKnown?: boolean;
};

/** A query, read by its syntax. */
export type ReadQuery = {
  /** The reading in which a page must have all quoted phrases; undefined without required phrases. */
  readonly strict: { readonly reading: Reading; readonly phrases: readonly Phrase[] } | undefined;
  /** Readings without required phrases, tried in this order until one finds pages. */
  readonly readings: readonly [Reading, ...Reading[]];
  /** Pages with all of these phrases score higher. */
  readonly preferredPhrases: readonly Phrase[];
  readonly excludedPhrases: readonly Phrase[];
};

type QueryOptions = {
  readonly query: string;
  readonly autocomplete?: boolean | undefined;
  readonly exact?: boolean | undefined;
};

/** With more words outside the quotes, the phrases are preferred instead of required. */
const MAX_WORDS_BESIDE_PHRASE = 8;

/** Reads a query for a site with pages in these languages. */
export function readQuery(
  { query, autocomplete = true, exact = false }: QueryOptions,
  languages: readonly string[],
): ReadQuery {
  const { text, beside, phrases: quoted, without } = parseQuery(query);
  const phrases = stemmedPhrases(quoted, languages);
  const excludedPhrases = stemmedPhrases(without, languages);
  const whole = { text, quoted, exact, completes: autocomplete && endsWithWord(query, quoted, without) };
  if (phrases.length === 0) return { strict: undefined, readings: [whole], preferredPhrases: [], excludedPhrases };
  if (wordCount(beside) > MAX_WORDS_BESIDE_PHRASE) {
    const withoutPhrases = { ...whole, text: beside, quoted: [] };
    return { strict: undefined, readings: [whole, withoutPhrases], preferredPhrases: phrases, excludedPhrases };
  }
  const completes = autocomplete && without.length === 0 && endsWithWord(text, [], []);
  const unquoted = { ...whole, quoted: [], completes };
  return {
    strict: { reading: whole, phrases },
    readings: [unquoted, ...(beside === '' ? [] : [{ ...unquoted, text: beside }])],
    preferredPhrases: [],
    excludedPhrases,
  };
}

const WORDS = new Intl.Segmenter([], { granularity: 'word' });

/** Counts words, also in scripts without spaces. */
const wordCount = (text: string): number =>
  Array.from(WORDS.segment(text)).filter(({ isWordLike }) => isWordLike).length;

/** Tells whether the query ends with a word that is neither quoted nor excluded. */
function endsWithWord(query: string, phrases: readonly string[], without: readonly string[]): boolean {
  const trimmed = query.trimEnd();
  const last = typedWords(trimmed, []).at(-1);
  const isExcluded = without.some((word) => trimmed.endsWith(word)) || phrases.some((one) => trimmed.endsWith(one));
  return last !== undefined && last.end === trimmed.length && !isExcluded;
}
