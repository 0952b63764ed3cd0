import { describe, expect, it } from '@jest/globals';
import {
  BANDS,
  bandOf,
  fingerprintOf,
  NEAR_DUPLICATE,
  readFingerprint,
  similarity,
} from '../../lambdas/text/fingerprint.ts';

const words = (count: number, seed: number): string[] =>
  Array.from({ length: count }, (_, i) => `w${(((i + 1) * 2654435761 + seed * 40503) >>> 7) % 5000}`);
const printOf = (text: string): Uint8Array => {
  const fingerprint = fingerprintOf({ blocks: [{ kind: 'text', text }] });
  if (fingerprint === undefined) throw new Error('the text is too short');
  return readFingerprint(fingerprint);
};
const likeness = (a: string, b: string): number => similarity(printOf(a), printOf(b));

describe('the fingerprint of a text', () => {
  const text = words(400, 1).join(' ');

  it('is equal for equal words, whatever their case and punctuation', () => {
    expect(likeness(text, text.toUpperCase().replaceAll(' ', ', '))).toBe(1);
  });

  it('is almost equal if a few words differ', () => {
    const edited = text.split(' ').with(100, 'rye').with(300, 'wheat').join(' ');
    expect(likeness(text, edited)).toBeGreaterThan(NEAR_DUPLICATE);
  });

  it('differs for other texts, and for the same words in another order', () => {
    expect(likeness(text, words(400, 2).join(' '))).toBeLessThan(0.1);
    expect(likeness(text, words(400, 1).reverse().join(' '))).toBeLessThan(0.1);
  });

  it('estimates the share of common runs of words', () => {
    const half = [...words(200, 1), ...words(200, 3)].join(' ');
    expect(Math.abs(likeness(text, half) - 0.33)).toBeLessThan(0.15);
  });

  it('works for text without spaces', () => {
    const chinese = Array.from({ length: 200 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 3000))).join('');
    expect(likeness(chinese, `${chinese.slice(0, 100)}新${chinese.slice(100)}`)).toBeGreaterThan(NEAR_DUPLICATE);
  });

  it('is absent for a text of fewer than 25 words', () => {
    expect(fingerprintOf({ blocks: [{ kind: 'text', text: words(24, 1).join(' ') }] })).toBeUndefined();
  });

  it('shares a band with that of a near-duplicate', () => {
    for (let seed = 0; seed < 100; seed++) {
      const one = words(120, seed).join(' ');
      const [a, b] = [printOf(one), printOf(`${one} and now rye`)];
      if (similarity(a, b) < NEAR_DUPLICATE) continue;
      expect(Array.from({ length: BANDS }, (_, band) => bandOf(a, band) === bandOf(b, band))).toContain(true);
    }
  });
});
