import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DayTop, topCandidates } from '../../../../local/sqlite/top-candidates.ts';

const SHOWN = 4;
const LIMIT = 3;

/** Counts of twenty queries on some days. */
const days = fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 20, maxLength: 20 }), {
  minLength: 1,
  maxLength: 6,
});

function topOf(ofDay: readonly number[]): DayTop {
  const sorted = ofDay
    .map((count, query) => ({ query, count }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
  return { queries: sorted.slice(0, SHOWN), isWhole: sorted.length <= SHOWN };
}

describe('the candidates for the most frequent queries', () => {
  it('include every query that can be one of them among those that a day shows', () => {
    fc.assert(
      fc.property(days, (counts) => {
        const tops = counts.map(topOf);
        const totals = Array.from({ length: 20 }, (_, query) =>
          counts.reduce((sum, ofDay) => sum + (ofDay[query] ?? 0), 0),
        );
        const shown = new Set(tops.flatMap(({ queries }) => queries.map(({ query }) => query)));
        const ofShown = totals.filter((_, query) => shown.has(query)).toSorted((one, other) => other - one);
        const least = ofShown.at(LIMIT - 1) ?? 0;
        const { queries, isComplete } = topCandidates(tops, LIMIT);
        const above = [...totals.keys()].filter((query) => (totals[query] ?? 0) > least);
        expect(queries).toEqual(expect.arrayContaining(above.filter((query) => isComplete || shown.has(query))));
      }),
    );
  });

  it('are few if some queries are clearly ahead', () => {
    const queries = Array.from({ length: 1000 }, (_, query) => ({ query, count: Math.ceil(10_000 / (query + 1)) }));
    const tops = Array.from({ length: 30 }, () => ({ queries, isWhole: false }));
    expect(topCandidates(tops, 10)).toEqual({ queries: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], isComplete: true });
  });

  it('are none without days', () => {
    expect(topCandidates([], 10)).toEqual({ queries: [], isComplete: true });
  });
});
