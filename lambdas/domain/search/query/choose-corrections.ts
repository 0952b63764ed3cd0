import { isQuestionWord } from '../../../text/words/question-words.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { correctOneWord, correctWords, type LookUp, type Replacement } from './correct-words.ts';
import { questionLanguages, type TypedWord } from './query-words.ts';
import type { Reading } from './read-query.ts';

/**
 * For each unknown word beyond the first, and beyond one in five. A query of the site's visitors has one typo, one from
 * elsewhere has more.
 */
const SEVERAL_UNKNOWN = 0.6;
const WORDS_PER_UNKNOWN = 5;
/** For a correction of a word of the language: "visa" is rather of another subject than a misspelt "via". */
const OTHER_WORD = 0.4;
/** Beside a known word it is rather a typo: "garage collection" on a site with "garbage collection". */
const OTHER_WORD_BESIDE = 0.5;
const MAX_CORRECTED = 4;
/** Words of so few letters are often one letter away from another word. */
const MAX_SHORT_LENGTH = 4;
const MIN_QUESTION_WORD_LENGTH = 4;
const DIGIT = /\p{N}/u;
const ACRONYM = /^\p{Lu}{2,6}$/u;

/** The words of a query, those that are not in quotes, and of these the ones that the site does not have. */
export type WordsOfQuery = Readonly<Record<'words' | 'free' | 'unknown', readonly TypedWord[]>> & {
  readonly languages: readonly string[];
};

export type ChosenCorrections = {
  readonly replacements: readonly Replacement[];
  /** A factor of all scores. */
  readonly confidence: number;
};

type Deps = { readonly lookUp: LookUp; readonly isWord: Embedder['isWord'] };

/** Which words are replaced, and how sure it is that these were meant. */
export async function chooseCorrections(
  { words, free, unknown, languages }: WordsOfQuery,
  { text, correctsWords, correctsKnown }: Reading,
  { lookUp, isWord }: Deps,
): Promise<ChosenCorrections> {
  const suspect = correctsKnown ? free : unknown;
  const others = await wordsOfLanguage(suspect, isWord);
  const asked = questionLanguages(languages);
  const plainWords = free.filter(({ word }) => !isQuestionWord(word, asked)).length;
  const isOnly = correctsWords === 'any' && unknown.length === 1 && plainWords > 1;
  const isOther = (typed: TypedWord) => !isOnly && others.has(typed);
  // A question word counts neither for nor against a page, and most words of three letters are one letter away from one.
  const takesAway = (word: string) =>
    (correctsKnown || plainWords < 2 || word.length < MIN_QUESTION_WORD_LENGTH) && isQuestionWord(word, asked);
  const mayMean = async (typed: TypedWord, word: string) =>
    !takesAway(word) && (!isOther(typed) || (lacksLetter(typed.word, word) && !(await isWord?.(word))));
  const correctsOthers = correctsWords === 'other' || correctsWords === 'any';
  const isKept = (typed: TypedWord) => correctsWords === 'likely' && mayBeName(typed, text, plainWords < 2);
  const misspelt = unknown.filter((word) => (correctsOthers || !others.has(word)) && !isKept(word));
  const found = correctsKnown
    ? await correctOneWord(suspect, { lookUp, mayMean: (word) => !takesAway(word) })
    : await correctWords(misspelt.slice(0, MAX_CORRECTED), { languages, lookUp, mayMean });
  const replacements = found.filter(({ from, to }) => !isOther(from) || lacksLetter(from.word, to));
  const ofOther = isOnly ? OTHER_WORD_BESIDE : OTHER_WORD;
  const hasOther = replacements.some(({ from }) => others.has(from));
  const confidence = confidenceIn(replacements, words, unknown) * (hasOther ? ofOther : 1);
  return { replacements, confidence };
}

/** Whether a word that the site lacks may be a name: so are capitals, words with digits, and a short word alone. */
function mayBeName({ word, start, end }: TypedWord, text: string, isAlone: boolean): boolean {
  return DIGIT.test(word) || ACRONYM.test(text.slice(start, end)) || (isAlone && word.length <= MAX_SHORT_LENGTH);
}

async function wordsOfLanguage(
  words: readonly TypedWord[],
  isWord: Embedder['isWord'],
): Promise<ReadonlySet<TypedWord>> {
  const isOther = await Promise.all(words.map(({ word }) => isWord?.(word) ?? false));
  return new Set(words.filter((_, i) => isOther[i]));
}

/**
 * A letter is easily left out ("son" for "json"); with another letter or ending a word of the language is rather meant.
 * Nor is one word of the language a misspelling of another ("soon").
 */
const lacksLetter = (typed: string, word: string): boolean => word.length > typed.length && !word.startsWith(typed);

function confidenceIn(
  corrected: readonly Replacement[],
  words: readonly TypedWord[],
  unknown: readonly TypedWord[],
): number {
  if (corrected.length === 0) return 1;
  const misspelt = unknown.length - corrected.filter(({ isSplit }) => isSplit).length;
  return SEVERAL_UNKNOWN ** Math.max(0, misspelt - Math.max(1, words.length / WORDS_PER_UNKNOWN));
}
