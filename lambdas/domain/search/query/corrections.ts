import { withinEditDistance } from '../../../text/words/edit-distance.ts';
import type { SpelledWord } from '../../ports/index-reader.ts';

/** A typo rarely changes the first letter, and a word is rarely mistaken for a number or another sign. */
const OTHER_START = 0.1;
const OTHER_SIGNS = 0.05;
const TWO_EDITS = 0.01;
/** Few words become the typed one by a letter that was left out or a swap, many by another or an added letter. */
const MANY_WAYS = 0.25;
const MIN_PART_LENGTH = 2;
const MAX_JOINED_LENGTH = 40;
/** Shorter parts of a word are as likely to be parts of any other, and shorter words are not corrected. */
const MIN_HALF_LENGTH = { known: 4, corrected: 5 };
const MAX_HALVES = 3;

/** The word of the site that was most likely meant. */
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

/** The ways to read a word as two, those of similar lengths first. */
export function splits(word: string): readonly (readonly [string, string])[] {
  if (word.length > MAX_JOINED_LENGTH || !/^\p{L}+$/u.test(word)) return [];
  const found: [string, string][] = [];
  for (let at = MIN_PART_LENGTH; at <= word.length - MIN_PART_LENGTH; at++)
    found.push([word.slice(0, at), word.slice(at)]);
  const shorter = ([first, second]: readonly [string, string]) => Math.min(first.length, second.length);
  return found.sort((a, b) => shorter(b) - shorter(a));
}

/** A compound of which the site has one part. `join` makes the compound in two words, with another word for `rest`. */
export type HalfKnown = { readonly rest: string; readonly join: (other: string) => string };

/** The ways to read a word as two of which the site has one, those with the longest known part first. */
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
