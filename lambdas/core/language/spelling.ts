/** Shorter words are as likely to be another word as a misspelling. */
const SHORTEST = 5;
/** Words from this length may have two errors. */
const SHORTEST_FOR_TWO = 9;
const LETTERS = /^\p{L}+$/u;

/** An unknown word is searched as this many similar words of the site, the most frequent ones. */
export const MOST_CORRECTIONS = 10;

/** The edit distance within which a word may be a misspelling; 0 for numbers and identifiers. */
export function allowedEdits(word: string): 0 | 1 | 2 {
  if (word.length < SHORTEST || !LETTERS.test(word)) return 0;
  return word.length < SHORTEST_FOR_TWO ? 1 : 2;
}
