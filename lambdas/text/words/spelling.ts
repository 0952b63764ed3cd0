import { UNSPACED } from './words.ts';

const SHORTEST = 3;
/** Words from this length may have two errors. */
const MIN_LENGTH_FOR_TWO = 9;
/** Longest word, in letters, that is kept as it is spelled. */
export const MAX_SPELLED_LENGTH = 40;
/** Number of first characters of a text that are compared with the beginnings of words. */
export const MAX_BEGINNING_LENGTH = 12;
const LETTERS = /^\p{L}+$/u;
const HAS_LETTER = /\p{L}/u;
const IS_UNSPACED = new RegExp(UNSPACED, 'v');

/** Returns the edit distance within which a word may be a misspelling; 0 for numbers and very short words. */
export function allowedEdits(word: string): 0 | 1 | 2 {
  if (word.length < SHORTEST || word.length > MAX_SPELLED_LENGTH || !HAS_LETTER.test(word)) return 0;
  return word.length >= MIN_LENGTH_FOR_TWO && LETTERS.test(word) ? 2 : 1;
}

/** Returns whether a folded word is kept as it is spelled, for corrections and completions. */
export const isSpelled = (word: string): boolean =>
  word.length > 1 && word.length <= MAX_SPELLED_LENGTH && HAS_LETTER.test(word) && !IS_UNSPACED.test(word);
