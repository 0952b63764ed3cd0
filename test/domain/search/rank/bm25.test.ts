import { describe, expect, it } from '@jest/globals';
import type { SiteStatistics } from '../../../../lambdas/domain/ports/index-reader.ts';
import { saturation, termWeights } from '../../../../lambdas/domain/search/rank/bm25.ts';
import { queryTerms } from '../../../../lambdas/text/words/query-terms.ts';

const query = queryTerms('backup running server', ['en']);
const statistics: SiteStatistics = { chunks: 1000, averageLength: 200, documentFrequency: [20, 60, 100] };

describe('term weights', () => {
  const weights = (text: string, documentFrequency: readonly number[]): readonly boolean[] =>
    termWeights(queryTerms(text, ['en']), { chunks: 100, averageLength: 100, documentFrequency }).map(
      (weight) => weight > 0,
    );

  it('are inverse document frequencies', () => {
    const [backup, running, server] = termWeights(query, statistics);
    expect([backup, running, server]).toEqual([3.888, 2.806, 2.299].map((weight) => expect.closeTo(weight, 3)));
    const [unknown] = termWeights(query, { ...statistics, documentFrequency: [0, 60, 100] });
    expect(unknown).toBeCloseTo(7.602, 3);
  });

  it('are 0 for question words', () => {
    expect(weights('how do backups work', [90, 90, 5, 5])).toEqual([false, false, true, true]);
  });

  it('are highest for unknown words', () => {
    const [known = 0, unknown = 0] = termWeights(query, { ...statistics, documentFrequency: [1, 0, 5] });
    expect(unknown).toBeGreaterThan(known);
  });

  it('are 0 for the unknown spelling of a compound if the site has the other one', () => {
    expect(weights('e-mail', [5, 0, 0])).toEqual([true, false, false]);
    expect(weights('well-known', [0, 5, 5])).toEqual([false, true, true]);
    expect(weights('foo_dump', [0, 0, 5])).toEqual([true, true, true]);
    expect(weights('foo_dump', [0, 0, 0])).toEqual([true, true, true]);
  });
});

describe('saturation', () => {
  it.each([
    ['one occurrence in a chunk of average length', 1, 200, 0.455],
    ['three in half of the average length', 3, 100, 0.8],
    ['three in twice the average length', 3, 400, 0.588],
    ['a thousand', 1000, 200, 0.999],
    ['none', 0, 200, 0],
  ])('of %s', (_, frequency, length, expected) => {
    expect(saturation(frequency, length, 200)).toBeCloseTo(expected, 3);
  });
});
