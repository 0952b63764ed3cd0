import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type QueryTerm, queryTerms, titleLength } from '../../../lambdas/core/language/query-terms.ts';
import { termMatches } from '../../../lambdas/core/language/term-matches.ts';
import { terms } from '../../../lambdas/core/language/terms.ts';
import { type Features, type SiteStatistics, scorer, termWeights } from '../../../lambdas/core/search/ranking.ts';

const score = (query: readonly QueryTerm[], site: SiteStatistics, features: Features): number =>
  scorer(query, site)(features);
const query = queryTerms('backup running server', ['en']);
const statistics: SiteStatistics = { chunks: 1000, averageLength: 200, documentFrequency: [20, 60, 100] };
const none: Features = {
  block: 'table',
  frequencies: [0, 0, 0],
  typos: [false, false, false],
  length: 200,
  inTitle: [false, false, false],
  titleLength: 4,
  inPage: [false, false, false],
  phrase: [false, false, false],
  labelLengths: [0, 0, 0],
  linkShare: 0,
};
const all = [true, true, true];

const flags = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 });
const anyEvidence: fc.Arbitrary<Features> = fc.record(
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
    labelLengths: fc.array(fc.nat(15), { minLength: 3, maxLength: 3 }),
    linkShare: fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100),
  },
  {
    requiredKeys: [
      ...(['block', 'frequencies', 'typos', 'length', 'inTitle', 'titleLength', 'inPage', 'phrase'] as const),
      ...(['labelLengths', 'linkShare'] as const),
    ],
  },
);
const anyStatistics: fc.Arbitrary<SiteStatistics> = fc.record({
  chunks: fc.nat(100_000),
  averageLength: fc.nat(1000),
  documentFrequency: fc.array(fc.nat(100_000), { minLength: 3, maxLength: 3 }),
});

describe('score', () => {
  it('lies between 0 and 1', () => {
    fc.assert(
      fc.property(anyStatistics, anyEvidence, (site, features) => {
        const found = score(query, site, features);
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('does not fall when the cosine rises', () => {
    const cosines = fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true }));
    fc.assert(
      fc.property(anyStatistics, anyEvidence, cosines, (site, features, [a, b]) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        expect(score(query, site, { ...features, cosine: high })).toBeGreaterThanOrEqual(
          score(query, site, { ...features, cosine: low }) - 1e-12,
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
        (site, features, place, more) => {
          const frequencies = features.frequencies.map((frequency, i) => (i === place ? frequency + more : frequency));
          expect(score(query, site, { ...features, frequencies })).toBeGreaterThanOrEqual(
            score(query, site, features) - 1e-12,
          );
        },
      ),
    );
  });

  it('is 0 without any features', () => {
    expect(score(query, statistics, none)).toBe(0);
    expect(score([], { ...statistics, documentFrequency: [] }, { ...none, frequencies: [] })).toBe(0);
  });

  it('is the formula of the decisions', () => {
    const idf = [20, 60, 100].map((having) => Math.log(1 + (1000 - having + 0.5) / (having + 0.5)));
    const [a = 0, b = 0, c = 0] = idf;
    const total = a + b + c;
    const slowness = 1.2 * (0.25 + (0.75 * 100) / 200);
    const typo = 0.7 * b;
    const words = ((a * 3) / (3 + slowness) + typo / (1 + slowness)) / total;
    const agreement = (both: number, beyond: number) => (both / total) * (both / (both + 0.5 * beyond * (total / 3)));
    const label = agreement(a + typo, 1);
    const lexical = 1 - (1 - words ** 0.7) * (1 - (0.15 * (a + typo)) / total) * (1 - 0.85 * label);
    const near = (0.5 - 0.2) / 0.7;
    const text = 1 - (0.5 * (0.575 - 0.15)) / 0.85;
    const relevance = 1 - (1 - text * 0.5 * near) * (1 - text * 0.9 * lexical) * (1 - 0.95 * agreement(a, 1));
    const several = (a + typo) / Math.log(1 + 1000.5 / 0.5) - 1.3;
    const coverage = (0.7 * (a + typo) + 0.3 * (a + typo + c)) / total;
    const open = (coverage + 0.75 * near + 0.3 * Math.max(0, several) - 0.35) / 0.6;
    const features: Features = {
      block: 'table',
      cosine: 0.5,
      frequencies: [3, 1, 0],
      typos: [false, true, false],
      length: 100,
      inTitle: [true, false, false],
      titleLength: 2,
      inPage: [true, true, true],
      phrase: [true, true, false],
      labelLengths: [3, 2, 0],
      linkShare: 0.575,
    };
    expect(score(query, statistics, features)).toBeCloseTo(relevance * (0.3 + 0.7 * Math.min(1, open)), 10);
  });

  it('rises with a label that has the words, the more the shorter the label is', () => {
    const met = { ...none, frequencies: [2, 2, 0], inPage: [true, true, false] };
    const labelled = (...labelLengths: readonly number[]) => score(query, statistics, { ...met, labelLengths });
    const scores = [labelled(0, 0, 0), labelled(9, 9, 0), labelled(3, 3, 0), labelled(2, 2, 0)];
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    expect(new Set(scores).size).toBe(scores.length);
  });

  it('takes a label for what it has, not for its length alone: one of a single word adds nothing to a longer one', () => {
    const met = { ...none, frequencies: [2, 2, 2], inPage: all };
    const both = score(query, statistics, { ...met, labelLengths: [3, 3, 3] });
    expect(both).toBeGreaterThan(score(query, statistics, { ...met, labelLengths: [0, 0, 1] }));
    expect(both).toBeGreaterThan(score(query, statistics, { ...met, labelLengths: [15, 15, 15] }));
  });

  it('falls where a chunk is links, but not for the page of that title', () => {
    const met = { ...none, frequencies: [2, 2, 2], inPage: all, cosine: 0.6 };
    const of = (features: Partial<Features>) => score(query, statistics, { ...met, ...features });
    expect(of({ linkShare: 0.1 })).toBe(of({ linkShare: 0 }));
    expect(of({ linkShare: 0.9 })).toBeLessThan(of({ linkShare: 0.3 }));
    expect(of({ linkShare: 1, inTitle: all, titleLength: 3 })).toBeGreaterThan(0.9);
  });

  it('counts words in one passage for more than words scattered over the page', () => {
    const features = { ...none, frequencies: [1, 0, 0], cosine: 0.2 };
    expect(score(query, statistics, { ...features, inPage: all })).toBeLessThan(
      score(query, statistics, { ...features, frequencies: [1, 1, 0], inPage: [true, true, false] }),
    );
  });

  it('tells titles apart that differ in question words alone', () => {
    const asked = queryTerms('how to sail', ['en']);
    const site = { ...statistics, documentFrequency: [900, 900, 20] };
    const found = { ...none, frequencies: [1, 1, 2], inPage: all, titleLength: 1 };
    const titled = (...inTitle: readonly boolean[]) =>
      score(asked, site, { ...found, typos: [false, false, false], inTitle });
    expect(titled(true, true, true)).toBeGreaterThan(titled(false, true, true));
  });

  it('is near 1 for the title of a page', () => {
    const title = 'Backup of a running server';
    const asked = queryTerms(title, ['en']);
    const text = terms(`${title} To make a backup of a running server, stop writing to it first.`, 'en');
    const every = asked.map(() => true);
    const features = { ...none, ...termMatches(asked, text), cosine: 0.8, inTitle: every, inPage: every };
    expect(score(asked, statistics, { ...features, titleLength: titleLength(title, 'en') })).toBeGreaterThan(0.9);
    expect(score(asked, statistics, { ...features, titleLength: 12 })).toBeLessThan(0.9);
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
