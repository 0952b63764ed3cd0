import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TopPages } from '../../lambdas/search-engine/top-k.ts';

const offers = fc.array(fc.record({ page: fc.nat(12), score: fc.nat(40) }), { maxLength: 80 });

describe('TopPages', () => {
  it('keeps the best chunk of each of the best pages, in any order of offering', () => {
    fc.assert(
      fc.property(offers, fc.nat(6), (all, size) => {
        const top = new TopPages(size, 0);
        for (const [chunk, { page, score }] of all.entries()) top.offer(page, chunk, score);
        const scores = Array.from(Map.groupBy(all, ({ page }) => page).values(), (samePage) =>
          Math.max(...samePage.map(({ score }) => score)),
        );
        const best = scores.filter((score) => score > 0).sort((a, b) => b - a);
        const kept = top.chunks.flatMap((chunk) => all[chunk] ?? []);
        expect(kept.map(({ score }) => score).sort((a, b) => b - a)).toEqual(best.slice(0, size));
        expect(new Set(kept.map(({ page }) => page)).size).toBe(kept.length);
      }),
    );
  });

  it('has the score that a chunk must exceed as its threshold', () => {
    const top = new TopPages(2, 1);
    expect(top.threshold).toBe(1);
    top.offer(0, 0, 5);
    top.offer(1, 1, 3);
    expect(top.threshold).toBe(3);
    top.offer(1, 2, 9);
    expect(top.threshold).toBe(5);
    expect(top.chunks.toSorted()).toEqual([0, 2]);
  });
});
