import { isQuestionWord } from '../../../text/words/question-words.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { correctOneWord, correctWords, type LookUp, type Replacement } from './correct-words.ts';
import { questionLanguages, type TypedWord } from './query-words.ts';
import type { Reading } from './read-query.ts';

/**
 * Factor of the score for each misspelt word beyond the first, and beyond one in five words. A query about the site
 * usually has one typo; a query about another subject has more unknown words.
 */
const SEVERAL_UNKNOWN = 0.6;
const WORDS_PER_UNKNOWN = 5;
/** Factor for correcting a dictionary word: "visa" is more likely another topic than a typo of "via". */
const OTHER_WORD = 0.4;
/** The same if all other words are known, where a typo is likelier: "garage collection" for "garbage collection". */
const OTHER_WORD_BESIDE = 0.5;
const MAX_CORRECTED = 4;
/** A lone word of at most this length may be a name. Most such words are one letter away from another word. */
const MAX_SHORT_LENGTH = 4;
const MIN_QUESTION_WORD_LENGTH = 4;
const DIGIT = /\p{N}/u;
const ACRONYM = /^\p{Lu}{2,6}$/u;

/** The words of a query: all, those outside quotes (`free`), and those of `free` that the site lacks (`unknown`). */
export type WordsOfQuery = Readonly<Record<'words' | 'free' | 'unknown', readonly TypedWord[]>> & {
  readonly languages: readonly string[];
};

export type ChosenCorrections = {
  readonly replacements: readonly Replacement[];
  /** Factor of all scores. */
  readonly confidence: number;
};

type Deps = { readonly lookUp: LookUp; readonly isWord: Embedder['isWord'] };

/** Chooses the words to replace, and the confidence that the replacements were meant. */
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
  // Rejects question words as corrections: they have no weight, and most words of three letters are one edit from one.
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

/** Tells whether an unknown word may be a name: an acronym in capitals, a word with digits, or a short word alone. */
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
 * Tells whether the typed word lacks a letter that is not at its end ("son" for "json"). Only then may a dictionary
 * word be a typo. With another letter or ending, it is probably meant as typed.
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
