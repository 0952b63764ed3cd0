import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type ChunkFeatures,
  calibrated,
  type PageFeatures,
  PROBABLY_RAW,
  scorer,
} from '../../../../lambdas/domain/search/rank/ranking.ts';
import type { Statistics } from '../../../../lambdas/domain/search/rank/weighted-terms.ts';
import { DEFAULT_MIN_SCORE } from '../../../../lambdas/domain/search/search-request.ts';
import { COSINE_SCALES } from '../../../../lambdas/text/words/cosine-scale.ts';
import { type QueryTerm, queryTerms, titleLength } from '../../../../lambdas/text/words/query-terms.ts';
import { termMatches } from '../../../../lambdas/text/words/term-matches.ts';
import { terms } from '../../../../lambdas/text/words/terms.ts';

type Features = PageFeatures & ChunkFeatures;

const score = (query: readonly QueryTerm[], site: Statistics, features: Features): number =>
  scorer(query, site)(features, features);
const query = queryTerms('backup running server', ['en']);
const statistics: Statistics = { chunks: 1000, averageLength: 200, documentFrequency: [20, 60, 100] };
const none: Features = {
  block: 'table',
  frequencies: [0, 0, 0],
  length: 200,
  inTitle: [false, false, false],
  titleLength: 4,
  phrase: [false, false, false],
  labelLengths: [0, 0, 0],
  linkShare: 0,
};
const all = [true, true, true];

const flags = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 });
const anyFeatures: fc.Arbitrary<Features> = fc.record(
  {
    cosine: fc.double({ min: -1, max: 1, noNaN: true }),
    block: fc.constantFrom('table', 'hash', 'model'),
    frequencies: fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 }),
    length: fc.nat(5000),
    inTitle: flags,
    titleLength: fc.nat(30),
    phrase: flags,
    labelLengths: fc.array(fc.nat(15), { minLength: 3, maxLength: 3 }),
    linkShare: fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100),
  },
  {
    requiredKeys: [
      ...(['block', 'frequencies', 'length', 'inTitle', 'titleLength', 'phrase'] as const),
      ...(['labelLengths', 'linkShare'] as const),
    ],
  },
);
const anyStatistics: fc.Arbitrary<Statistics> = fc.record({
  chunks: fc.nat(100_000),
  averageLength: fc.nat(1000),
  documentFrequency: fc.array(fc.nat(100_000), { minLength: 3, maxLength: 3 }),
});

describe('the score', () => {
  it('is between 0 and 1', () => {
    fc.assert(
      fc.property(anyStatistics, anyFeatures, (site, features) => {
        const found = score(query, site, features);
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('finds a page with all words, however narrow the scale of a model is', () => {
    const scales = { ...COSINE_SCALES, model: { low: 0.29, high: 0.31, weight: 0.7 } };
    const page: Features = { ...none, block: 'model', cosine: 0.25, frequencies: [1, 1, 1], phrase: all, length: 30 };
    expect(score(query, { ...statistics, scales }, page)).toBeGreaterThan(DEFAULT_MIN_SCORE);
    const other = { ...page, frequencies: [0, 0, 1] };
    expect(score(query, { ...statistics, scales }, other)).toBeLessThan(DEFAULT_MIN_SCORE);
  });

  it('does not fall when the cosine rises', () => {
    const cosines = fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true }));
    fc.assert(
      fc.property(anyStatistics, anyFeatures, cosines, (site, features, [a, b]) => {
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
        anyFeatures,
        fc.nat(2),
        fc.integer({ min: 1, max: 50 }),
        (site, features, index, more) => {
          const frequencies = features.frequencies.map((frequency, i) => (i === index ? frequency + more : frequency));
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

  const wordsOnly = { frequencies: [1, 1, 1] };

  it.each<[string, Partial<Features>, number]>([
    ['nearly the same meaning without any of the words', { cosine: 0.9 }, 0.358],
    ['half of that closeness in meaning', { cosine: 0.55 }, 0.068],
    ['the same meaning by the vectors of a model', { cosine: 0.9, block: 'model' }, 0.635],
    ['the same meaning by hashed vectors', { cosine: 0.6, block: 'hash' }, 0.21],
    ['each word once', wordsOnly, 0.497],
    ['each word once, and half the meaning', { ...wordsOnly, cosine: 0.55 }, 0.623],
    ['each word three times in half the usual length', { ...wordsOnly, frequencies: [3, 3, 3], length: 100 }, 0.76],
    ['the words as a label', { ...wordsOnly, labelLengths: [3, 3, 3] }, 0.836],
    ['the words as the title', { ...wordsOnly, inTitle: all, titleLength: 3 }, 0.975],
    ['the words as half of the title', { ...wordsOnly, inTitle: all, titleLength: 6 }, 0.815],
    ['the words in nothing but links', { ...wordsOnly, linkShare: 1 }, 0.236],
    ['the most common of three words', { frequencies: [0, 0, 1] }, 0.054],
  ])('of a chunk with %s', (_, features, expected) => {
    expect(score(query, statistics, { ...none, ...features })).toBeCloseTo(expected, 3);
  });

  it('of a long question is no lower for words that a page need not have', () => {
    const words = 'joule heating magnetic field laminar boundary layer plate current flow';
    const question = queryTerms(words, ['en']);
    const site = { chunks: 1000, averageLength: 200, documentFrequency: question.map(() => 3) };
    const found = (matched: number): Features => {
      const isFound = question.map((_, i) => i < matched);
      const frequencies = isFound.map((one) => (one ? 2 : 0));
      const absent = question.map(() => false);
      const lengths = question.map(() => 0);
      return {
        ...none,
        frequencies,
        inTitle: absent,
        phrase: absent,
        labelLengths: lengths,
        cosine: 0.5,
      };
    };
    expect(score(question, site, found(1))).toBeLessThan(0.3);
    expect(score(question, site, found(4))).toBeGreaterThan(0.44);
  });

  describe('of words that stand apart', () => {
    const apart = { ...none, ...wordsOnly };
    const near = { cosine: 0.9 };
    const far = { cosine: 0.25 };
    const of = (...features: readonly Partial<Features>[]) =>
      score(query, statistics, Object.assign({}, apart, ...features));

    it('is below 0.3 if the passage means something else', () => {
      expect(of(far)).toBeLessThan(0.3);
      expect(of(far, { phrase: [true, true, false] })).toBeGreaterThan(0.3);
      expect(of(far, { labelLengths: [3, 3, 3] })).toBeGreaterThan(0.7);
    });

    it('is hardly higher for a title with one of the words', () => {
      const titled = { inTitle: [false, true, false], titleLength: 3 };
      expect(of(far, titled) - of(far)).toBeLessThan(0.1);
      expect(of(near, titled) - of(near)).toBeGreaterThan(0.02);
      expect(of(far, { inTitle: all, titleLength: 3 })).toBeGreaterThan(0.9);
    });

    it('is no lower if the passage means the same, or if its meaning is not known', () => {
      expect(of(near)).toBeGreaterThan(0.7);
      expect(of()).toBe(of({ phrase: all }));
      expect(of(far, { block: 'hash' })).toBeGreaterThan(0.5);
    });

    it('is hardly lower for a word that one chunk alone has, than for words that many have', () => {
      const asked = queryTerms('stators attached', ['en']);
      const of = (documentFrequency: readonly number[], frequencies: readonly number[]) =>
        score(asked, { chunks: 240, averageLength: 120, documentFrequency }, { ...apart, ...far, frequencies });
      const [rare, common] = [of([1, 1], [2, 0]), of([20, 20], [2, 2])];
      expect(rare).toBeGreaterThan(0.1);
      expect(rare).toBeGreaterThan(common);
      expect(of([1, 1], [2, 2])).toBeGreaterThan(0.3);
    });

    it('counts no word as rare on a site of a few chunks', () => {
      const found = { ...apart, ...far, frequencies: [1, 1, 0] };
      const few = { chunks: 4, averageLength: 200, documentFrequency: [1, 1, 1] };
      expect(score(query, few, found)).toBeLessThan(0.1);
      expect(score(query, { ...few, chunks: 400 }, found)).toBeGreaterThan(0.3);
    });

    it('is no lower for an only word, nor for an identifier', () => {
      const only = queryTerms('backup', ['en']);
      const identifier = queryTerms('pg_dump file', ['en']);
      const found = (terms: readonly QueryTerm[], isFound: (term: QueryTerm) => boolean) => {
        const flags = terms.map(isFound);
        const absent = terms.map(() => false);
        const lengths = terms.map(() => 0);
        const frequencies = flags.map((one) => (one ? 2 : 0));
        const features = { ...none, ...far, frequencies, inTitle: absent, phrase: absent };
        const site = { ...statistics, documentFrequency: terms.map(() => 20) };
        return score(terms, site, { ...features, labelLengths: lengths });
      };
      expect(found(only, () => true)).toBeGreaterThan(0.6);
      expect(found(identifier, ({ term }) => term !== 'file')).toBeGreaterThan(0.3);
    });
  });

  it('is higher with a label that contains the words, and the higher the shorter the label is', () => {
    const matched = { ...none, frequencies: [2, 2, 0] };
    const labelled = (...labelLengths: readonly number[]) => score(query, statistics, { ...matched, labelLengths });
    const scores = [labelled(0, 0, 0), labelled(9, 9, 0), labelled(3, 3, 0), labelled(2, 2, 0)];
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    expect(new Set(scores).size).toBe(scores.length);
  });

  it('is higher for a label with all of the words than for one with a single word or for a very long one', () => {
    const matched = { ...none, frequencies: [2, 2, 2] };
    const both = score(query, statistics, { ...matched, labelLengths: [3, 3, 3] });
    expect(both).toBeGreaterThan(score(query, statistics, { ...matched, labelLengths: [0, 0, 1] }));
    expect(both).toBeGreaterThan(score(query, statistics, { ...matched, labelLengths: [15, 15, 15] }));
  });

  it('is lower for a chunk of links, unless the page has the query as its title', () => {
    const matched = { ...none, frequencies: [2, 2, 2], cosine: 0.6 };
    const of = (features: Partial<Features>) => score(query, statistics, { ...matched, ...features });
    expect(of({ linkShare: 0.1 })).toBe(of({ linkShare: 0 }));
    expect(of({ linkShare: 0.9 })).toBeLessThan(of({ linkShare: 0.3 }));
    expect(of({ linkShare: 1, inTitle: all, titleLength: 3 })).toBeGreaterThan(0.9);
  });

  it('is higher for several words in a passage than for one', () => {
    const features = { ...none, frequencies: [1, 0, 0], cosine: 0.2 };
    expect(score(query, statistics, features)).toBeLessThan(
      score(query, statistics, { ...features, frequencies: [1, 1, 0] }),
    );
  });

  it('differs for titles that differ only in question words', () => {
    const asked = queryTerms('how to sail', ['en']);
    const site = { ...statistics, documentFrequency: [900, 900, 20] };
    const found = { ...none, frequencies: [1, 1, 2], titleLength: 1 };
    const titled = (...inTitle: readonly boolean[]) => score(asked, site, { ...found, inTitle });
    expect(titled(true, true, true)).toBeGreaterThan(titled(false, true, true));
  });

  it('is above 0.9 for the exact title of a page', () => {
    const title = 'Backup of a running server';
    const asked = queryTerms(title, ['en']);
    const text = terms(`${title} To make a backup of a running server, stop writing to it first.`, 'en');
    const every = asked.map(() => true);
    const features = { ...none, ...termMatches(asked, text), cosine: 0.8, inTitle: every };
    expect(score(asked, statistics, { ...features, titleLength: titleLength(title, 'en') })).toBeGreaterThan(0.9);
    expect(score(asked, statistics, { ...features, titleLength: 12 })).toBeLessThan(0.9);
  });

  it('is below 0.3 for unknown words with the cosine of unrelated text', () => {
    const unknown: Statistics = { ...statistics, documentFrequency: [0, 0, 0] };
    fc.assert(
      fc.property(fc.double({ min: -1, max: 0.54, noNaN: true }), (cosine) => {
        expect(score(query, unknown, { ...none, cosine })).toBeLessThan(0.3);
      }),
    );
  });

  it('is below 0.3 for one common word out of three', () => {
    const oneKnown: Statistics = { ...statistics, documentFrequency: [0, 0, 200] };
    expect(score(query, oneKnown, { ...none, cosine: 0.25, frequencies: [0, 0, 5] })).toBeLessThan(0.3);
  });

  it('is 0.3 for the raw score that the last step was fitted to, and keeps the order', () => {
    expect(calibrated(PROBABLY_RAW)).toBeCloseTo(DEFAULT_MIN_SCORE, 12);
    expect([calibrated(0), calibrated(1)]).toEqual([0, 1]);
    const raw = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(fc.property(raw, raw, (a, b) => Math.sign(calibrated(a) - calibrated(b)) * Math.sign(a - b) >= 0));
  });

  it('ignores a cosine that is not a number', () => {
    expect(score(query, statistics, { ...none, cosine: Number.NaN })).toBe(0);
  });
});
