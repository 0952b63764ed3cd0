import { describe, expect, it } from '@jest/globals';
import { ranksOf, termsByRank } from '../../lambdas/search-engine/term-ranks.ts';

describe('the ranks of terms', () => {
  it('begin with the term that the most chunks have, and keep the order of others', () => {
    const ranks = ranksOf(Uint32Array.of(3, 5, 0, 5, 0));
    expect([...ranks]).toEqual([2, 0, 3, 1, 4]);
    expect([...termsByRank(ranks)]).toEqual([1, 3, 0, 2, 4]);
  });

  it('are none without terms', () => {
    expect(ranksOf(new Uint32Array())).toHaveLength(0);
  });
});
