import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { boostFactor, type Candidate, rankPages } from '../../../lambdas/core/search/rank-pages.ts';

describe('rank', () => {
  const candidate = (page: string, value: number, boosts: readonly number[] = [], chunk = 0): Candidate => ({
    page,
    url: `https://example.com/${page}`,
    chunk,
    score: value,
    boosts,
  });
  const pages = (candidates: readonly Candidate[], minScore = 0.3, limit = 10, offset = 0) =>
    rankPages(candidates, { minScore, limit, offset }).results.map(({ candidate: { page, chunk }, score: shown }) => [
      page,
      chunk,
      shown,
    ]);

  it('shows each page once, by its best chunk', () => {
    expect(pages([candidate('a', 0.4, [], 0), candidate('b', 0.5), candidate('a', 0.6, [], 1)])).toEqual([
      ['a', 1, 0.6],
      ['b', 0, 0.5],
    ]);
  });

  it('applies boosts before minScore', () => {
    expect(pages([candidate('a', 0.2, [2]), candidate('b', 0.5, [0.5]), candidate('c', 0.25)])).toEqual([
      ['a', 0, 0.4],
    ]);
  });

  it('caps shown scores at 1 and orders by the uncapped ones', () => {
    expect(pages([candidate('a', 0.9), candidate('b', 0.5, [3]), candidate('c', 0.6, [3])])).toEqual([
      ['c', 0, 1],
      ['b', 0, 1],
      ['a', 0, 0.9],
    ]);
  });

  it('orders equal scores by URL', () => {
    expect(pages([candidate('b', 0.5), candidate('a', 0.5), candidate('c', 0.5)]).map(([page]) => page)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('counts all pages that pass, whatever the offset and limit', () => {
    const candidates = ['a', 'b', 'c', 'd'].map((page, i) => candidate(page, 0.9 - i / 5));
    const { totalResults, passed } = rankPages(candidates, { minScore: 0.4, limit: 1, offset: 1 });
    expect(totalResults).toBe(3);
    expect(passed.map(({ page }) => page)).toEqual(['a', 'b', 'c']);
    expect(pages(candidates, 0.4, 1, 1)).toEqual([['b', 0, 0.7]]);
  });

  it('does not depend on the order of the candidates', () => {
    const anyCandidate = fc.record({
      page: fc.constantFrom('a', 'b', 'c', 'd'),
      url: fc.constantFrom('https://example.com/1', 'https://example.com/2'),
      chunk: fc.nat(3),
      score: fc.constantFrom(0, 0.2, 0.4, 0.6),
      boosts: fc.array(fc.constantFrom(0.5, 2), { maxLength: 2 }),
    });
    const shuffled = fc
      .array(anyCandidate, { maxLength: 20 })
      .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        const options = { minScore: 0.3, limit: 3, offset: 0 };
        const shown = (candidates: readonly Candidate[]) =>
          rankPages(candidates, options).results.map(({ candidate: { page, url, chunk }, score: value }) => [
            page,
            url,
            chunk,
            value,
          ]);
        expect(shown(other)).toEqual(shown(list));
      }),
    );
  });
});

describe('boostFactor', () => {
  it('is the product, clamped to 0.01 and 100', () => {
    expect(boostFactor([])).toBe(1);
    expect(boostFactor([2, 1.5])).toBe(3);
    expect(boostFactor([50, 50])).toBe(100);
    expect(boostFactor([0.01, 0.01])).toBe(0.01);
  });

  it('ignores factors that are zero, negative or not a number', () => {
    expect(boostFactor([0, -3, Number.NaN, Number.POSITIVE_INFINITY, 2])).toBe(2);
  });
});
