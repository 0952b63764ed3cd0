import { withinEditDistance } from '../../../text/words/edit-distance.ts';
import type { SpelledWord } from '../../ports/index-reader.ts';

/** Factors of likelihood. A typo rarely changes the first letter, a digit or a sign, and two edits are rare. */
const OTHER_START = 0.1;
const OTHER_SIGNS = 0.05;
const TWO_EDITS = 0.01;
/** Factor for a replaced or added letter: many more words match that way than by an omitted letter or a swap. */
const MANY_WAYS = 0.25;
const MIN_PART_LENGTH = 2;
const MAX_JOINED_LENGTH = 40;
/** Least lengths of the known and the corrected part of a compound. Shorter parts match by chance. */
const MIN_HALF_LENGTH = { known: 4, corrected: 5 };
const MAX_HALVES = 3;

/** Returns the word of the site that was most likely meant. */
export function bestCorrection(typed: string, similar: readonly SpelledWord[]): SpelledWord | undefined {
  let best: SpelledWord | undefined;
  let highest = 0;
  for (const candidate of similar) {
    const likelihood = candidate.pages * likeness(typed, candidate.word);
    if (likelihood > highest) [best, highest] = [candidate, likelihood];
  }
  return best;
}

function likeness(typed: string, word: string): number {
  const isSwap = typed.length === word.length && [...typed].sort().join('') === [...word].sort().join('');
  const oneEdit = isSwap || typed.length < word.length ? 1 : MANY_WAYS;
  const edits = withinEditDistance(typed, word, 1) ? oneEdit : TWO_EDITS;
  const start = typed[0] === word[0] || isSwap ? 1 : OTHER_START;
  const signs = typed.replace(/\p{L}/gu, '') === word.replace(/\p{L}/gu, '') ? 1 : OTHER_SIGNS;
  return edits * start * signs;
}

/** Returns the ways to split a word in two, parts of similar lengths first. */
export function splits(word: string): readonly (readonly [string, string])[] {
  if (word.length > MAX_JOINED_LENGTH || !/^\p{L}+$/u.test(word)) return [];
  const found: [string, string][] = [];
  for (let at = MIN_PART_LENGTH; at <= word.length - MIN_PART_LENGTH; at++)
    found.push([word.slice(0, at), word.slice(at)]);
  const shorter = ([first, second]: readonly [string, string]) => Math.min(first.length, second.length);
  return found.sort((a, b) => shorter(b) - shorter(a));
}

/** A compound with one known part. `rest`: the unknown part. `join` writes both, with a word in place of `rest`. */
export type HalfKnown = { readonly rest: string; readonly join: (other: string) => string };

/** Returns the ways to split a word so that the site has one part, longest known part first. */
export function halfKnownSplits(word: string, known: ReadonlySet<string>): readonly HalfKnown[] {
  const halves = splits(word).flatMap(([first, second]) => {
    const isLong = (known: string, rest: string) =>
      known.length >= MIN_HALF_LENGTH.known && rest.length >= MIN_HALF_LENGTH.corrected;
    if (known.has(first) && isLong(first, second))
      return [{ size: first.length, rest: second, join: (other: string) => `${first} ${other}` }];
    return known.has(second) && isLong(second, first)
      ? [{ size: second.length, rest: first, join: (other: string) => `${other} ${second}` }]
      : [];
  });
  return halves.sort((a, b) => b.size - a.size).slice(0, MAX_HALVES);
}
