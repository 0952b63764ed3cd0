import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Evidence, scoreOf } from '../../../../lambdas/domain/search/rank/ranking.ts';
import { NeededCosines, writeCeilings } from '../../../../lambdas/domain/search/rank/score-ceiling.ts';
import { WeightedTerms } from '../../../../lambdas/domain/search/rank/weighted-terms.ts';
import { VECTOR_BLOCKS } from '../../../../lambdas/text/words/cosine-scale.ts';
import { queryTerms } from '../../../../lambdas/text/words/query-terms.ts';

const statistics = { chunks: 1000, averageLength: 100, documentFrequency: [300, 40, 5] };
const share = fc.double({ min: 0, max: 1, noNaN: true });
const chunks = fc.record({
  words: fc.integer({ min: 0, max: 7 }),
  repeated: share,
  title: share,
  label: share,
  linkShare: share,
  isPhrase: fc.boolean(),
  block: fc.constantFrom(...VECTOR_BLOCKS),
  cosine: fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: undefined }),
});

type Chunk = Pick<Evidence, 'block' | 'cosine' | 'title' | 'label' | 'bm25'> & { readonly words: number };

/** The ceiling of one chunk. */
function ceilingOf({ block, cosine, title, label, bm25, words }: Chunk, terms: WeightedTerms): number {
  const weight = terms.weights.reduce((sum, each, i) => sum + ((words & (1 << i)) === 0 ? 0 : each), 0);
  const ceilings = new Float64Array(1);
  const agreeing = { chunks: Uint32Array.of(0), titles: Float64Array.of(title), labels: Float64Array.of(label) };
  const evidence = {
    terms: Int32Array.of(words),
    weights: Float32Array.of(weight),
    words: Float32Array.of(bm25 * terms.total),
    cosines: Float32Array.of(cosine ?? Number.NaN),
    cosineError: 1e-6,
    vectorKinds: Uint8Array.of(cosine === undefined ? 0 : VECTOR_BLOCKS.indexOf(block) + 1),
  };
  writeCeilings({ ...agreeing, ceilings, length: 1 }, evidence, terms, 1);
  return ceilings[0] as number;
}

describe('writeCeilings', () => {
  const terms = new WeightedTerms(queryTerms('write ahead log', ['en']), statistics);

  it.each(['write ahead log', 'log', 'wal_level', 'is log'])('is never below the score of a chunk: %s', (text) => {
    const query = queryTerms(text, ['en']);
    const ofQuery = new WeightedTerms(query, statistics);
    fc.assert(
      fc.property(chunks, ({ words: bits, repeated, isPhrase, ...evidence }) => {
        const words = bits & (2 ** query.length - 1);
        const inChunk = ofQuery.share(words);
        const bm25 = inChunk * repeated;
        const inOrder = isPhrase && (words & (words - 1)) !== 0 ? words : 0;
        const together = ofQuery.together(words, inOrder);
        const distinction = ofQuery.distinction(words);
        const score = scoreOf({ ...evidence, together, distinction, inChunk, bm25 }, ofQuery);
        expect(ceilingOf({ ...evidence, bm25, words }, ofQuery)).toBeGreaterThanOrEqual(score - 1e-12);
      }),
    );
  });

  it('is near the score of a chunk of text', () => {
    for (const block of VECTOR_BLOCKS) {
      const evidence = { block, cosine: 0.5, title: 0, linkShare: 0, label: 0, bm25: 0.2 };
      const ofWords = { inChunk: terms.share(3), together: terms.together(3, 3), distinction: terms.distinction(3) };
      const score = scoreOf({ ...evidence, ...ofWords }, terms);
      expect(ceilingOf({ ...evidence, words: 3 }, terms)).toBeCloseTo(score, 2);
    }
  });
});

describe('NeededCosines', () => {
  const least = fc.double({ min: 0, max: 1, noNaN: true });

  it.each(['write ahead log', 'log', 'wal_level', 'is log', 'a b c d e f g h i j'])(
    'rules out no chunk that has the score: %s',
    (text) => {
      const query = queryTerms(text, ['en']);
      const ofQuery = new WeightedTerms(query, { ...statistics, documentFrequency: query.map((_, i) => 3 + i) });
      fc.assert(
        fc.property(chunks, least, share, ({ words: bits, repeated, isPhrase, ...evidence }, score, agreement) => {
          const words = bits & (2 ** query.length - 1);
          const inChunk = ofQuery.share(words);
          const inOrder = isPhrase && (words & (words - 1)) !== 0 ? words : 0;
          const together = ofQuery.together(words, inOrder);
          const label = agreement < 0.5 ? 0 : agreement * inChunk;
          const distinction = ofQuery.distinction(words);
          const chunk = { ...evidence, together, distinction, inChunk, label, title: 0, bm25: inChunk * repeated };
          const kind = chunk.cosine === undefined ? 0 : VECTOR_BLOCKS.indexOf(chunk.block) + 1;
          const needed = new NeededCosines(ofQuery, score, 0).of(words, kind, label > 0);
          if (scoreOf(chunk, ofQuery) > score) expect(chunk.cosine ?? Number.NaN).not.toBeLessThanOrEqual(needed);
        }),
      );
    },
  );

  it('rules out what has one common word and another meaning', () => {
    const terms = new WeightedTerms(queryTerms('write ahead log', ['en']), statistics);
    const needed = new NeededCosines(terms, 0.3, 0.005);
    const table = VECTOR_BLOCKS.indexOf('table') + 1;
    expect(needed.of(1, table, false)).toBeGreaterThan(0.4);
    expect(needed.of(7, table, false)).toBeLessThan(needed.of(1, table, false));
    expect(new NeededCosines(terms, -1, 0.005).of(1, table, false)).toBeLessThan(-1);
  });
});
