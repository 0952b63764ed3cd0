import { describe, expect, it } from '@jest/globals';
import { neighboursToMerge, newestToMerge } from '../../../lambdas/adapters/local/index-store/merge-plan.ts';
import type { SegmentRow } from '../../../lambdas/adapters/local/index-store/segment-rows.ts';

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
    const sizes = [9000, 400, 400, 400, 400, 400, 400, 400, 400, 50];
    expect(sizesOf(newestToMerge(segments(sizes)))).toEqual(sizes.slice(1));
  });

  it('merges each page a few times only, and leaves few segments', () => {
    let sizes: readonly number[] = [];
    let merged = 0;
    for (let put = 0; put < 1000; put++) {
      sizes = [...sizes, 50];
      for (let rows = newestToMerge(segments(sizes)); rows.length > 0; rows = newestToMerge(segments(sizes))) {
        const chunks = sizesOf(rows).reduce((sum, size) => sum + size, 0);
        merged += chunks;
        sizes = [...sizes.slice(0, -rows.length), chunks];
      }
    }
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(50_000);
    expect(merged / 50_000).toBeLessThan(4);
    expect(sizes.length).toBeLessThan(30);
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
