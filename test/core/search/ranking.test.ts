import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { queryTerms, titleLength } from '../../../lambdas/core/language/query-terms.ts';
import { termMatches } from '../../../lambdas/core/language/term-matches.ts';
import { terms } from '../../../lambdas/core/language/terms.ts';
import {
  boostFactor,
  type Candidate,
  type Evidence,
  rank,
  type SiteStatistics,
  score,
  termWeights,
} from '../../../lambdas/core/search/ranking.ts';

const query = queryTerms('backup running server', ['en']);
const statistics: SiteStatistics = { chunks: 1000, averageLength: 200, documentFrequency: [20, 60, 100] };
const none: Evidence = {
  block: 'table',
  frequencies: [0, 0, 0],
  typos: [false, false, false],
  length: 200,
  inTitle: [false, false, false],
  titleLength: 4,
  inPage: [false, false, false],
  phrase: [false, false, false],
};
const all = [true, true, true];

const flags = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 });
const anyEvidence: fc.Arbitrary<Evidence> = fc.record(
  {
    cosine: fc.double({ min: -1, max: 1, noNaN: true }),
    block: fc.constantFrom('table', 'hash', 'model'),
    frequencies: fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 }),
    typos: flags,
    length: fc.nat(5000),
    inTitle: flags,
    titleLength: fc.nat(30),
    inPage: flags,
    phrase: flags,
  },
  { requiredKeys: ['block', 'frequencies', 'typos', 'length', 'inTitle', 'titleLength', 'inPage', 'phrase'] },
);
const anyStatistics: fc.Arbitrary<SiteStatistics> = fc.record({
  chunks: fc.nat(100_000),
  averageLength: fc.nat(1000),
  documentFrequency: fc.array(fc.nat(100_000), { minLength: 3, maxLength: 3 }),
});

describe('score', () => {
  it('lies between 0 and 1', () => {
    fc.assert(
      fc.property(anyStatistics, anyEvidence, (site, evidence) => {
        const found = score(query, site, evidence);
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('does not fall when the cosine rises', () => {
    const cosines = fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true }));
    fc.assert(
      fc.property(anyStatistics, anyEvidence, cosines, (site, evidence, [a, b]) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        expect(score(query, site, { ...evidence, cosine: high })).toBeGreaterThanOrEqual(
          score(query, site, { ...evidence, cosine: low }) - 1e-12,
        );
      }),
    );
  });

  it('does not fall when a frequency rises', () => {
    fc.assert(
      fc.property(
        anyStatistics,
        anyEvidence,
        fc.nat(2),
        fc.integer({ min: 1, max: 50 }),
        (site, evidence, place, more) => {
          const frequencies = evidence.frequencies.map((frequency, i) => (i === place ? frequency + more : frequency));
          expect(score(query, site, { ...evidence, frequencies })).toBeGreaterThanOrEqual(
            score(query, site, evidence) - 1e-12,
          );
        },
      ),
    );
  });

  it('is 0 without any evidence', () => {
    expect(score(query, statistics, none)).toBe(0);
    expect(score([], { ...statistics, documentFrequency: [] }, { ...none, frequencies: [] })).toBe(0);
  });

  it('is the formula of the design', () => {
    const idf = [20, 60, 100].map((having) => Math.log(1 + (1000 - having + 0.5) / (having + 0.5)));
    const [a = 0, b = 0, c = 0] = idf;
    const total = a + b + c;
    const slowness = 1.2 * (0.25 + (0.75 * 100) / 200);
    const bm25 = (a * 3 * 2.2) / (3 + slowness) + (b * 0.7 * 2.2) / (1 + slowness);
    const words = Math.sqrt(bm25 / (2.2 * total));
    const title = (a / total) * (a / (a + total / 3));
    const lexical = 1 - (1 - words) * (1 - 0.8 * title) * (1 - 0.2 * ((a + b) / total));
    const s = (0.5 - 0.2) / 0.7;
    const gate = 0.3 + 0.7 * Math.min(1, ((a + b) / total + 0.84 * s - 0.16) / 0.5);
    const evidence: Evidence = {
      ...none,
      cosine: 0.5,
      frequencies: [3, 1, 0],
      typos: [false, true, false],
      length: 100,
      inTitle: [true, false, false],
      titleLength: 2,
      inPage: [true, true, false],
      phrase: [true, true, false],
    };
    expect(score(query, statistics, evidence)).toBeCloseTo((1 - (1 - 0.5 * s) * (1 - 0.9 * lexical)) * gate, 10);
  });

  it('is near 1 for the title of a page', () => {
    const title = 'Backup of a running server';
    const asked = queryTerms(title, ['en']);
    const text = terms(`${title} To make a backup of a running server, stop writing to it first.`, 'en');
    const every = asked.map(() => true);
    const evidence = { ...none, ...termMatches(asked, text), cosine: 0.8, inTitle: every, inPage: every };
    expect(score(asked, statistics, { ...evidence, titleLength: titleLength(title, 'en') })).toBeGreaterThan(0.9);
    expect(score(asked, statistics, { ...evidence, titleLength: 12 })).toBeLessThan(0.9);
  });

  it('is below 0.3 for nonsense: no word known, and a cosine as unrelated text has it', () => {
    const unknown: SiteStatistics = { ...statistics, documentFrequency: [0, 0, 0] };
    fc.assert(
      fc.property(fc.double({ min: -1, max: 0.54, noNaN: true }), (cosine) => {
        expect(score(query, unknown, { ...none, cosine })).toBeLessThan(0.3);
      }),
    );
  });

  it('is below 0.3 for one common word out of three', () => {
    const oneKnown: SiteStatistics = { ...statistics, documentFrequency: [0, 0, 200] };
    expect(
      score(query, oneKnown, { ...none, cosine: 0.25, frequencies: [0, 0, 5], inPage: [false, false, true] }),
    ).toBeLessThan(0.3);
  });

  it('takes a cosine that is no number for none', () => {
    expect(score(query, statistics, { ...none, cosine: Number.NaN })).toBe(0);
  });

  it('gives a word that is met by a typo less than the word itself', () => {
    const met = { ...none, frequencies: [1, 1, 1], inPage: all };
    expect(score(query, statistics, { ...met, typos: [true, false, false] })).toBeLessThan(
      score(query, statistics, met),
    );
  });
});

describe('termWeights', () => {
  const weights = (text: string, documentFrequency: readonly number[]): readonly boolean[] =>
    termWeights(queryTerms(text, ['en']), { chunks: 100, averageLength: 100, documentFrequency }).map(
      (weight) => weight > 0,
    );

  it('does not count question words', () => {
    expect(weights('how do backups work', [90, 90, 5, 5])).toEqual([false, false, true, true]);
  });

  it('counts an unknown word most', () => {
    const [known = 0, unknown = 0] = termWeights(query, { ...statistics, documentFrequency: [1, 0, 5] });
    expect(unknown).toBeGreaterThan(known);
  });

  it('counts one spelling of a compound where the site has only one', () => {
    expect(weights('e-mail', [5, 0, 0])).toEqual([true, false, false]);
    expect(weights('well-known', [0, 5, 5])).toEqual([false, true, true]);
    expect(weights('foo_dump', [0, 0, 5])).toEqual([true, true, true]);
    expect(weights('foo_dump', [0, 0, 0])).toEqual([true, true, true]);
  });
});

describe('rank', () => {
  const candidate = (page: string, value: number, boosts: readonly number[] = [], chunk = 0): Candidate => ({
    page,
    url: `https://example.com/${page}`,
    chunk,
    score: value,
    boosts,
  });
  const pages = (candidates: readonly Candidate[], minScore = 0.3, limit = 10, offset = 0) =>
    rank(candidates, { minScore, limit, offset }).results.map(({ candidate: { page, chunk }, score: shown }) => [
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

  it('boosts before it compares with minScore', () => {
    expect(pages([candidate('a', 0.2, [2]), candidate('b', 0.5, [0.5]), candidate('c', 0.25)])).toEqual([
      ['a', 0, 0.4],
    ]);
  });

  it('shows at most 1, and orders by what was cut', () => {
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

  it('counts all pages that pass, whatever part is shown', () => {
    const candidates = ['a', 'b', 'c', 'd'].map((page, i) => candidate(page, 0.9 - i / 5));
    const { totalResults, passed } = rank(candidates, { minScore: 0.4, limit: 1, offset: 1 });
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
          rank(candidates, options).results.map(({ candidate: { page, url, chunk }, score: value }) => [
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
  it('is the product, kept between 0.01 and 100', () => {
    expect(boostFactor([])).toBe(1);
    expect(boostFactor([2, 1.5])).toBe(3);
    expect(boostFactor([50, 50])).toBe(100);
    expect(boostFactor([0.01, 0.01])).toBe(0.01);
  });

  it('skips what is zero, less, or no number', () => {
    expect(boostFactor([0, -3, Number.NaN, Number.POSITIVE_INFINITY, 2])).toBe(2);
  });
});
