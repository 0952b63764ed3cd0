import type { Phrase } from '../../ports/index-reader.ts';
import { parseQuery, stemmedPhrases } from './query-syntax.ts';
import { typedWords } from './query-words.ts';

/** One way to read the words of a query. */
export type Reading = {
  readonly text: string;
  /** Texts in quotes, whose words are taken as they are. */
  readonly quoted: readonly string[];
  /** Whether the last word may be the beginning of a word. */
  readonly completes: boolean;
  readonly exact: boolean;
  /**
   * Corrects unknown words: `likely` those that can hardly be meant, `names` also those that may be names, `other` also
   * those of the language, to words that it lacks and for lower scores, `any` these to every word, if one word is
   * unknown and another is not.
   */
  readonly correctsWords?: 'likely' | 'names' | 'other' | 'any';
  /** Looks for a misspelling among the words that the site has. */
  readonly correctsKnown?: boolean;
};

/** A query by its syntax. */
export type ReadQuery = {
  /** With its quoted phrases, all of which a page must have; undefined if it has none. */
  readonly strict: { readonly reading: Reading; readonly phrases: readonly Phrase[] } | undefined;
  /** Without required phrases: the first reading that finds something counts. */
  readonly readings: readonly [Reading, ...Reading[]];
  /** Pages with all of them are preferred. */
  readonly preferredPhrases: readonly Phrase[];
  readonly excludedPhrases: readonly Phrase[];
};

type QueryOptions = {
  readonly query: string;
  readonly autocomplete?: boolean | undefined;
  readonly exact?: boolean | undefined;
};

/** In a question with more words outside of quotes, the quotes are a preference. */
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

/** Counts words also where no spaces are between them. */
const wordCount = (text: string): number =>
  Array.from(WORDS.segment(text)).filter(({ isWordLike }) => isWordLike).length;

/** Whether the last word is typed, and neither quoted nor excluded. */
function endsWithWord(query: string, phrases: readonly string[], without: readonly string[]): boolean {
  const trimmed = query.trimEnd();
  const last = typedWords(trimmed, []).at(-1);
  const isExcluded = without.some((word) => trimmed.endsWith(word)) || phrases.some((one) => trimmed.endsWith(one));
  return last !== undefined && last.end === trimmed.length && !isExcluded;
}
