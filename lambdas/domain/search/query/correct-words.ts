import { withinEditDistance } from '../../../text/words/edit-distance.ts';
import type { SpelledWord, WordEntry, WordQuery } from '../../ports/index-reader.ts';
import { bestCorrection, type HalfKnown, halfKnownSplits, splits } from './corrections.ts';
import { formsOf, type TypedWord, wordQuery } from './query-words.ts';

/** A word as typed, and the text searched in its place. */
export type Replacement = {
  readonly from: TypedWord;
  readonly to: string;
  /** The word was split into two that the site has: a German compound, or a missing space. */
  readonly isSplit?: boolean;
};

/** Returns the vocabulary entries of words, in the order of the words. */
export type LookUp = (words: readonly WordQuery[]) => Promise<readonly WordEntry[]>;

type Vocabulary = {
  readonly languages: readonly string[];
  readonly lookUp: LookUp;
  /** Tells whether a typed word may mean another word. By default it may mean any. */
  readonly mayMean?: (typed: TypedWord, word: string) => Promise<boolean>;
};

/** Least length of a misspelt prefix to complete: "reindx" for "reindexing". */
const MIN_BEGINNING_LENGTH = 5;
/** A known word counts as a misspelling only of a word that is on this many times more pages. */
const MIN_GAIN = 3;

/** Returns the best correction of each word, if any: a similar word, a split, or a completion of a misspelt prefix. */
export async function correctWords(
  words: readonly TypedWord[],
  { languages, lookUp, mayMean = async () => true }: Vocabulary,
): Promise<readonly Replacement[]> {
  const parts = words.map(({ word }) => splits(word));
  const flat = [...new Set(parts.flat(2))];
  const entries = await lookUp([
    ...words.map((word) => wordQuery(word, 'similar')),
    ...flat.map((word) => wordQuery({ word, forms: formsOf(word, languages) })),
  ]);
  const known = new Set(flat.filter((_, i) => entries[words.length + i]?.isKnown));
  const similar = await Promise.all(words.map((from, i) => meant(entries[i]?.found ?? [], from, mayMean)));
  const found = words.map((from, i) => {
    const split = parts[i]?.find((both) => both.every((part) => known.has(part)));
    const to = bestCorrection(from.word, similar[i] ?? [])?.word;
    return to === undefined && split ? { from, to: split.join(' '), isSplit: true } : { from, to };
  });
  const unresolved = found.filter(({ from, to }) => to === undefined && from.word.length >= MIN_BEGINNING_LENGTH);
  const halves = unresolved.flatMap(({ from }) => halfKnownSplits(from.word, known).map((split) => ({ from, split })));
  const looked = await lookUp([
    ...unresolved.map(({ from }) => wordQuery(from, 'similarCompletions')),
    ...halves.map(({ split }) => wordQuery({ word: split.rest, forms: [] }, 'similar')),
  ]);
  const inParts = halves.map(({ from, split }, i) => ({
    from,
    to: correctedSplit(split, looked[unresolved.length + i]),
  }));
  return found.flatMap((one) => {
    const to =
      one.to ??
      inParts.find(({ from, to }) => from === one.from && to !== undefined)?.to ??
      looked[unresolved.indexOf(one)]?.found[0]?.word;
    return to === undefined ? [] : [{ ...one, to }];
  });
}

/** Joins the known part with the correction of the unknown part. */
function correctedSplit({ rest, join }: HalfKnown, entry: WordEntry | undefined): string | undefined {
  const best = bestCorrection(rest, oneEditFrom(rest, entry?.found));
  return best && join(best.word);
}

const oneEditFrom = (typed: string, found: readonly SpelledWord[] = []): readonly SpelledWord[] =>
  found.filter(({ word }) => withinEditDistance(typed, word, 1));

async function meant(
  similar: readonly SpelledWord[],
  typed: TypedWord,
  mayMean: NonNullable<Vocabulary['mayMean']>,
): Promise<readonly SpelledWord[]> {
  const isMeant = await Promise.all(similar.map(({ word }) => mayMean(typed, word)));
  return similar.filter((_, i) => isMeant[i]);
}

/** Corrects the one known word that is most likely a misspelling of a much more frequent word. */
export async function correctOneWord(
  words: readonly TypedWord[],
  { lookUp, mayMean }: { readonly lookUp: LookUp; readonly mayMean: (word: string) => boolean },
): Promise<readonly Replacement[]> {
  const entries = await lookUp(words.map((word) => wordQuery(word, 'similar')));
  const found = words.flatMap((from, i) => {
    const similar = entries[i]?.found.filter(({ word }) => mayMean(word)) ?? [];
    const to = bestCorrection(from.word, similar);
    return to ? [{ from, to: to.word, gain: to.pages / (1 + (entries[i]?.pages ?? 0)) }] : [];
  });
  return found
    .filter(({ gain }) => gain >= MIN_GAIN)
    .toSorted((a, b) => b.gain - a.gain)
    .slice(0, 1);
}
