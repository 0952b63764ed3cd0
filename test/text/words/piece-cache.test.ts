import { describe, expect, it } from '@jest/globals';
import { PieceCache } from '../../../lambdas/text/words/piece-cache.ts';

describe('PieceCache', () => {
  it('computes the value of a piece once for each language', () => {
    const computed: string[] = [];
    const cache = new PieceCache((piece, language) => {
      computed.push(`${language}:${piece}`);
      return computed.length;
    });
    expect(cache.of(['one', 'two', 'one'], 'en')).toEqual([1, 2, 1]);
    expect(cache.of(['two', 'one'], 'de')).toEqual([3, 4]);
    expect(computed).toEqual(['en:one', 'en:two', 'de:two', 'de:one']);
  });

  it('gives the value of any piece, also of lone surrogates and of long ones', () => {
    const cache = new PieceCache((piece) => `<${piece}>`);
    for (const piece of ['', '\ud800', `${'a'.repeat(20)}\udc00`, 'é'.repeat(20), 'x'.repeat(100_000)])
      for (let pass = 0; pass < 2; pass++) expect(cache.of([piece])).toEqual([`<${piece}>`]);
  });

  it('starts over when it is full, and gives the same values', () => {
    let computed = 0;
    const cache = new PieceCache((piece) => {
      computed++;
      return `<${piece}>`;
    });
    const pieces = Array.from({ length: 300_000 }, (_, i) => (i * 7919).toString(36));
    for (let pass = 1; pass <= 2; pass++) {
      expect(cache.of(pieces).every((value, i) => value === `<${pieces[i]}>`)).toBe(true);
      expect(computed).toBe(pass * pieces.length);
    }
  });
});
