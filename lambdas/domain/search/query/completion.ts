import { isSpelled } from '../../../text/words/spelling.ts';
import type { QueryTerm, SpelledWord, WordEntry } from '../../ports/index-reader.ts';
import { formsOf, type TypedWord } from './query-words.ts';

/** If a completion is on this many times more pages than the word, the word is probably unfinished. */
const UNFINISHED = 2;

export type Completion = {
  /** The terms, with the completions of the last word in its place. */
  readonly completed: readonly QueryTerm[];
  /** Pages have the last word as a whole, so they come before those with its completions. */
  readonly isLastKnown: boolean;
  /** A completion of the last word is much more frequent than the word. */
  readonly isLastUnfinished: boolean;
};

/**
 * Returns the completions of the last word, if any. Ignores other forms of the word, such as its plural, which add no
 * pages. Does not complete a known number, since the index does not count the pages of numbers.
 */
export function completion(
  terms: readonly QueryTerm[],
  { word, forms: own }: TypedWord,
  { isKnown, pages, found }: WordEntry = { isKnown: false, pages: 0, found: [] },
  languages: readonly string[],
): Completion | undefined {
  if (isKnown && !isSpelled(word)) return undefined;
  const isOther = (other: SpelledWord) => formsOf(other.word, languages).some((form) => !own.includes(form));
  const completions = pages === 0 ? found : found.filter(isOther);
  const [most] = completions;
  if (!most) return undefined;
  const position = Math.max(0, ...terms.map((term) => term.position));
  const forms = [...new Set(completions.flatMap((other) => formsOf(other.word, languages)))];
  return {
    isLastKnown: pages > 0,
    isLastUnfinished: most.pages > UNFINISHED * pages,
    completed: [
      ...terms.filter((term) => term.position !== position),
      { term: word, forms, question: false, position },
    ],
  };
}
