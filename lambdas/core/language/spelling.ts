/** Words shorter than this are as often others as misspelt. */
const SHORTEST = 5;
/** From here on a word may differ by two letters. */
const SHORTEST_FOR_TWO = 9;
const LETTERS = /^\p{L}+$/u;

/** A misspelt word is met by so many words of a site, the most frequent ones. */
export const MOST_CORRECTIONS = 10;

/** By how many letters left out, put in, exchanged or swapped a word may differ from what was meant; numbers and identifiers by none. */
export function allowedEdits(word: string): 0 | 1 | 2 {
  if (word.length < SHORTEST || !LETTERS.test(word)) return 0;
  return word.length < SHORTEST_FOR_TWO ? 1 : 2;
}
