import { describe, expect, it } from '@jest/globals';
import { neighboursToMerge, newestToMerge } from '../../../../local/sqlite/index/merge-plan.ts';
import type { SegmentRow } from '../../../../local/sqlite/index/segment-rows.ts';

const segments = (sizes: readonly number[]): readonly SegmentRow[] =>
  sizes.map((chunks, id) => ({ id, partition: 1, firstPage: id, lastPage: id, chunks, size: 1 }));
const sizesOf = (rows: readonly SegmentRow[]): readonly number[] => rows.map(({ chunks }) => chunks);

describe('newestToMerge', () => {
  const small = Array.from({ length: 8 }, () => 50);

  it('takes the newest segments once eight have the same size', () => {
    expect(sizesOf(newestToMerge(segments([5000, ...small])))).toEqual(small);
    expect(newestToMerge(segments([5000, ...small.slice(1)]))).toEqual([]);
  });

  it('takes smaller ones among them too', () => {
    const sizes = [9000, ...Array.from({ length: 16 }, () => 400), 50];
    expect(sizesOf(newestToMerge(segments(sizes)))).toEqual(sizes.slice(1));
  });

  it.each([
    { put: 2, total: 20_000, most: 4 },
    { put: 50, total: 50_000, most: 2 },
    { put: 61, total: 5000, most: 1 }, // the crawl of a small site
    { put: 30, puts: 20, total: 50_000, most: 3 },
  ])('merges each page $most times at most, and leaves few segments, if $put chunks are put at once', (example) => {
    // `puts`: how many between two looks for segments to merge.
    const { put, puts = 1, total, most } = example;
    let sizes: readonly number[] = [];
    let merged = 0;
    let longest = 0;
    for (let chunks = 0; chunks < total; chunks += put * puts) {
      sizes = [...sizes, ...Array.from({ length: puts }, () => put)];
      const rows = newestToMerge(segments(sizes));
      const sum = sizesOf(rows).reduce((before, size) => before + size, 0);
      merged += sum;
      if (rows.length > 0) sizes = [...sizes.slice(0, -rows.length), sum];
      longest = Math.max(longest, sizes.length);
    }
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThanOrEqual(total);
    expect(merged / total).toBeLessThan(most);
    expect(longest).toBeLessThan(35);
    expect(Math.max(...sizes)).toBeLessThan(25_000);
  });
});

describe('neighboursToMerge', () => {
  it('groups neighbours up to the largest size of a segment', () => {
    const groups = neighboursToMerge(segments([16_300, 300, 84, 15_000, 1400, 5]));
    expect(groups.map(sizesOf)).toEqual([
      [300, 84, 15_000],
      [1400, 5],
    ]);
  });
});
