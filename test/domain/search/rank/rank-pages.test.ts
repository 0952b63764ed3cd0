import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Candidate, followedBy, rankPages } from '../../../../lambdas/domain/search/rank/rank-pages.ts';

describe('rankPages', () => {
  const candidate = (page: string, score: number, chunk = 0): Candidate => ({
    page,
    chunk,
    score,
    url: `https://example.com/${page}`,
  });
  const pages = (candidates: readonly Candidate[], minScore = 0.3) =>
    rankPages(candidates, minScore).map(({ page, chunk, score }) => [page, chunk, score]);

  it('has each page once, by its best chunk, if it reaches minScore', () => {
    expect(pages([candidate('a', 0.4, 0), candidate('b', 0.5), candidate('a', 0.6, 1), candidate('c', 0.2)])).toEqual([
      ['a', 1, 0.6],
      ['b', 0, 0.5],
    ]);
  });

  it('orders scores above 1 too, and equal ones by URL', () => {
    const found = pages([candidate('b', 0.5), candidate('a', 0.5), candidate('c', 1.5), candidate('d', 1.8)]);
    expect(found.map(([page]) => page)).toEqual(['d', 'c', 'a', 'b']);
  });

  it('does not depend on the order of the candidates', () => {
    const anyCandidate = fc.record({
      page: fc.constantFrom('a', 'b', 'c', 'd'),
      url: fc.constantFrom('https://example.com/1', 'https://example.com/2'),
      chunk: fc.nat(3),
      score: fc.constantFrom(0, 0.2, 0.4, 0.6),
    });
    const shuffled = fc
      .array(anyCandidate, { maxLength: 20 })
      .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
    fc.assert(fc.property(shuffled, ([list, other]) => expect(pages(other)).toEqual(pages(list))));
  });
});

describe('followedBy', () => {
  it('adds the pages that are not among the first', () => {
    const hit = (page: string, score: number): Candidate => ({ page, url: page, chunk: 0, score });
    const found = followedBy([hit('a', 0.9), hit('b', 0.8)], [hit('b', 1), hit('c', 0.7)]);
    expect(found.map(({ page, score }) => [page, score])).toEqual([
      ['a', 0.9],
      ['b', 0.8],
      ['c', 0.7],
    ]);
  });
});
