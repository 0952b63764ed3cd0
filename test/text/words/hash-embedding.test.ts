import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fnv1a, fnv1aOfText } from '../../../lambdas/text/words/fnv1a.ts';
import { hashEmbedding } from '../../../lambdas/text/words/hash-embedding.ts';

const cosine = (a: string, b: string): number => {
  const other = hashEmbedding(b);
  return hashEmbedding(a).reduce((sum, x, d) => sum + x * (other[d] ?? 0), 0);
};

describe('fnv1a', () => {
  it.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ])('hashes "%s" as published', (text, hash) => {
    expect(fnv1a(new TextEncoder().encode(text))).toBe(hash);
    expect(fnv1aOfText(text)).toBe(hash);
  });
});

describe('hashEmbedding', () => {
  it('is the sum of words and character n-grams, each in its slot with its sign', () => {
    const sum = new Float32Array(128);
    const features = ['ab', '<ab', 'ab>', '<ab>'];
    for (const [i, feature] of features.entries()) {
      const hash = fnv1a(new TextEncoder().encode(feature));
      sum[hash & 127] = (sum[hash & 127] ?? 0) + (i === 0 ? 1 : 0.3) * (hash & 128 ? -1 : 1);
    }
    const length = Math.hypot(...sum);
    expect([...hashEmbedding('AB')]).toEqual([...sum].map((x) => expect.closeTo(x / length, 5)));
  });

  it('has close vectors for forms and spellings of a word', () => {
    for (const [a, b] of [
      ['Bibliotheken', 'Bibliothek'],
      ['préférences', 'preferences'],
      ['Öffnungszeiten', 'Offnungszeit'],
      ['全文検索', '全文検索エンジン'],
    ] as const) {
      expect(cosine(a, b)).toBeGreaterThan(0.5);
    }
    expect(cosine('Bibliothek', 'Steuererklärung')).toBeLessThan(0.3);
  });

  it('does not depend on case or order', () => {
    expect(cosine('Der Hund beißt', 'beisst DER hund')).toBeCloseTo(1, 5);
  });

  it('returns a vector of unit length, or zeros for a text without words', () => {
    expect(Math.hypot(...hashEmbedding(' … !? '))).toBe(0);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const length = Math.hypot(...hashEmbedding(text));
        expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true);
      }),
    );
  });
});
