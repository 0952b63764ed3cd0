import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FNV_OFFSET, fnvStep } from '../../../lambdas/text/words/fnv1a.ts';
import { ALONE, type CharacterRule, GAP, PART, TokenCache } from '../../../lambdas/text/words/token-cache.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const rule: CharacterRule = (character) => {
  if (character === '.') return ALONE;
  return /[\s,]/.test(character) ? GAP : PART;
};
const cache = new TokenCache(rule, (piece, kind) => `${kind}:${piece}`);
const read = (text: string, kind = 0): readonly string[] => {
  const found: string[] = [];
  cache.forEach(text, kind, (value, start) => found.push(`${start} ${value}`));
  return found;
};
const expected = (text: string, kind = 0): readonly string[] =>
  Array.from(text.matchAll(/\.|[^ \t\n\v\f\r,.]+/g), ({ index, 0: piece }) => `${index} ${kind}:${piece}`);

/** Different pieces of kind 0 with the same hash: the last code unit cancels their difference. */
function collidingPieces(count: number): readonly string[] {
  const pieces: string[] = [];
  for (let i = 0; pieces.length < count; i++) {
    const [a, b] = [0x4e00 + (i % 0x4000), 0x4e00 + (i >>> 14)];
    const hash = fnvStep(fnvStep(fnvStep(FNV_OFFSET, 0), a), b);
    if (hash >>> 16 === 0x1234) pieces.push(String.fromCharCode(a, b, (hash & 0xffff) ^ 0x4e00));
  }
  return pieces;
}

describe('TokenCache', () => {
  it('gives the value of each piece between gaps, for any text and kind', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('a', 'b', ' ', ',', '.', '\u00a0', '\0', '\ud800'),
    );
    const texts = fc.array(piece, { maxLength: 20 });
    fc.assert(
      fc.property(texts, fc.constantFrom('', ' ', '\n'), fc.constantFrom(0, 1, 2, 255), (pieces, blank, kind) => {
        const text = pieces.join(blank);
        expect(read(text, kind)).toEqual(expected(text, kind));
      }),
    );
  });

  it('gives the value of a range of a text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(40), fc.nat(40), (text, from, length) => {
        const [start, end] = [Math.min(from, text.length), Math.min(from + length, text.length)];
        expect(cache.of(text, start, end, 3)).toBe(`3:${text.slice(start, end)}`);
      }),
    );
  });

  it('computes the value of a repeated piece once for each kind', () => {
    let times = 0;
    const counted = new TokenCache(rule, () => ++times);
    counted.forEach('one two one', 0, () => undefined);
    expect(counted.of('(one)', 1, 4, 0)).toBe(1);
    expect(counted.of('one', 0, 3, 1)).toBe(3);
  });

  it('gives the right values for more pieces than it holds', () => {
    const pieces = Array.from({ length: 150_000 }, (_, i) => (i * 7919).toString(36));
    const text = pieces.join(' ');
    for (let pass = 0; pass < 2; pass++) {
      let i = 0;
      let wrong = 0;
      cache.forEach(text, 0, (value) => {
        if (value !== `0:${pieces[i++]}`) wrong++;
      });
      expect([i, wrong]).toEqual([pieces.length, 0]);
    }
  });

  it('gives the right values for pieces with colliding hashes', () => {
    const pieces = collidingPieces(40);
    for (let pass = 0; pass < 2; pass++)
      expect(read(pieces.join(' '))).toEqual(pieces.map((piece, i) => `${4 * i} 0:${piece}`));
  });

  it('holds a bounded number of pieces, however many and long they are', () => {
    const bounded = new TokenCache(rule, (piece) => ({ piece }));
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 300_000; i++) {
      const piece = String(i).padStart(i % 10 === 0 ? 40 : 8, '-');
      bounded.of(piece, 0, piece.length, 0);
    }
    collectGarbage();
    expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(30);
    expect(bounded.of('again', 0, 5, 0)).toEqual({ piece: 'again' });
  });
});
