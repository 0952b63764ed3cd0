import { UNSPACED } from '../../../text/words/words.ts';
import type { LookUp, Replacement } from './correct-words.ts';
import { type TypedWord, typedWords } from './query-words.ts';

const RUN = new RegExp(`${UNSPACED}+`, 'gv');
const PAIR = new RegExp(`^${UNSPACED}{2,}$`, 'v');
/** Most pairs of letters that one typo changes. */
const MAX_PAIRS = 3;
const MAX_RUN_LENGTH = 40;
/** The mark of long vowels and small kana. Japanese spells loanwords with and without these. */
const EASILY_LEFT_OUT = '\u30fc\u30c3\u30a1\u30a3\u30a5\u30a7\u30a9\u30e3\u30e5\u30e7';
const KATAKANA = /\p{sc=Katakana}/u;

/**
 * Corrects two swapped letters, or an omitted long vowel or small kana, in a script that is indexed as letter pairs.
 * The unknown pairs locate the typo. All pairs of a correction must be known. Ambiguous corrections are rejected.
 */
export async function correctPairs(
  text: string,
  unknown: readonly TypedWord[],
  lookUp: LookUp,
): Promise<Replacement | undefined> {
  const pairs = unknown.filter(({ word }) => PAIR.test(word));
  const [first, last] = [pairs[0], pairs.at(-1)];
  if (!first || !last || pairs.length > MAX_PAIRS) return undefined;
  const run = Array.from(text.matchAll(RUN)).find(
    ({ index, 0: { length } }) => index <= first.start && last.end <= index + length,
  );
  if (!run || run[0].length > MAX_RUN_LENGTH) return undefined;
  const from = { word: run[0], forms: [], start: run.index, end: run.index + run[0].length };
  const place = { from: first.start - run.index, to: last.end - run.index };
  const readings = [pairs.length === 1 ? withMark(run[0], place.from) : [], swapped(run[0], place)];
  const pairsOf = new Map(readings.flat().map((reading) => [reading, typedWords(reading, []).map(({ word }) => word)]));
  const all = [...new Set([...pairsOf.values()].flat())];
  const entries = await lookUp(all.map((word) => ({ word, forms: [word] })));
  const known = new Set(all.filter((_, i) => entries[i]?.isKnown));
  for (const alike of readings) {
    const [to, other] = alike.filter((reading) => pairsOf.get(reading)?.every((pair) => known.has(pair)));
    if (to !== undefined) return other === undefined ? { from, to } : undefined;
  }
  return undefined;
}

/** Returns the run with each of the marks inserted between the two letters of a pair. */
const withMark = (run: string, at: number): readonly string[] =>
  KATAKANA.test(run.charAt(at))
    ? Array.from(EASILY_LEFT_OUT, (mark) => run.slice(0, at + 1) + mark + run.slice(at + 1))
    : [];

/** Returns the run with each two neighbouring letters swapped, from one letter before the unknown pairs. */
function swapped(run: string, { from, to }: Readonly<Record<'from' | 'to', number>>): readonly string[] {
  const readings: string[] = [];
  for (let at = Math.max(0, from - 1); at < Math.min(to, run.length - 1); at++)
    readings.push(run.slice(0, at) + run.charAt(at + 1) + run.charAt(at) + run.slice(at + 2));
  return readings.filter((reading) => reading !== run);
}
