import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { queryTerms } from '../../../lambdas/core/language/query-terms.ts';
import { COSINE_SCALES, type VectorBlock } from '../../../lambdas/core/search/cosine-scale.ts';
import { scoreOf } from '../../../lambdas/core/search/ranking.ts';
import { ScoreCeiling } from '../../../lambdas/core/search/score-ceiling.ts';
import { WeightedTerms } from '../../../lambdas/core/search/weighted-terms.ts';

const query = queryTerms('write ahead log', ['en']);
const statistics = { chunks: 1000, averageLength: 100, documentFrequency: [300, 40, 5] };
const share = fc.double({ min: 0, max: 1, noNaN: true });
const chunks = fc.record({
  words: fc.integer({ min: 0, max: 7 }),
  ...{ repeated: share, title: share, label: share, linkShare: share, isPhrase: fc.boolean() },
  block: fc.constantFrom<VectorBlock>('table', 'hash', 'model'),
  cosine: fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: undefined }),
});

describe('ScoreCeiling', () => {
  const terms = new WeightedTerms(query, statistics);
  const ceiling = new ScoreCeiling(terms);

  it('is never below the score of a chunk', () => {
    fc.assert(
      fc.property(chunks, ({ words, repeated, isPhrase, ...evidence }) => {
        const inChunk = terms.share(words);
        const bm25 = inChunk * repeated;
        const inOrder = isPhrase && (words & (words - 1)) !== 0 ? words : 0;
        const together = terms.together(words, inOrder);
        const score = scoreOf({ ...evidence, together, inChunk, bm25 }, terms);
        expect(ceiling.of({ ...evidence, bm25 }, words)).toBeGreaterThanOrEqual(score - 1e-12);
      }),
    );
  });

  it('is near the score of a chunk of text', () => {
    for (const block of Object.keys(COSINE_SCALES) as VectorBlock[]) {
      const evidence = { block, cosine: 0.5, title: 0, linkShare: 0, label: 0 };
      const words = { inChunk: terms.share(3), bm25: 0.2 };
      const score = scoreOf({ ...evidence, ...words, together: terms.together(3, 3) }, terms);
      expect(ceiling.of({ ...evidence, bm25: 0.2 }, 3)).toBeCloseTo(score, 2);
    }
  });
});
