import { increment } from './arrays.ts';

/*
 * The forward index names terms by rank, from 0 for the term that the most chunks have: so the numbers of most terms of
 * a text are short.
 */

/** Returns the rank of each term by its number of chunks. Ties keep the order of the terms. */
export function ranksOf(chunkCounts: Uint32Array): Uint32Array<ArrayBuffer> {
  const most = chunkCounts.reduce((most, count) => Math.max(most, count), 0);
  /** For each number of chunks: the rank of the next term that has it. */
  const next = new Uint32Array(most + 1);
  for (const count of chunkCounts) increment(next, count);
  let before = 0;
  for (let count = most; count >= 0; count--) {
    const terms = next[count] as number;
    next[count] = before;
    before += terms;
  }
  const ranks = new Uint32Array(chunkCounts.length);
  for (let term = 0; term < ranks.length; term++) ranks[term] = increment(next, chunkCounts[term] as number);
  return ranks;
}

/** Returns the term of each rank. */
export function termsByRank(ranks: Uint32Array): Uint32Array {
  const terms = new Uint32Array(ranks.length);
  for (let term = 0; term < ranks.length; term++) terms[ranks[term] as number] = term;
  return terms;
}
