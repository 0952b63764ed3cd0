import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ALONE, type CharacterRule, GAP, PART, TokenCache } from '../../../lambdas/core/language/token-cache.ts';

const rule: CharacterRule = (character) => {
  if (character === '.') return ALONE;
  return /[\s,]/.test(character) ? GAP : PART;
};
const known = new TokenCache(rule, (piece, kind) => `${kind}:${piece}`);
const read = (text: string, kind = 0): readonly string[] => {
  const found: string[] = [];
  known.eachIn(text, kind, (made, start) => found.push(`${start} ${made}`));
  return found;
};
const expected = (text: string, kind = 0): readonly string[] =>
  Array.from(text.matchAll(/\.|[^ \t\n\v\f\r,.]+/g), ({ index, 0: piece }) => `${index} ${kind}:${piece}`);

/** So many pieces of kind 0 whose 32-bit FNV-1a is one: the last unit undoes in what they differ. */
function meetingPieces(count: number): readonly string[] {
  const { imul } = Math;
  const step = (hash: number, unit: number) => imul(hash ^ unit, 0x01000193);
  const pieces: string[] = [];
  for (let i = 0; pieces.length < count; i++) {
    const [a, b] = [0x4e00 + (i % 0x4000), 0x4e00 + (i >>> 14)];
    const hash = step(step(step(0x811c9dc5, 0), a), b);
    if (hash >>> 16 === 0x1234) pieces.push(String.fromCharCode(a, b, (hash & 0xffff) ^ 0x4e00));
  }
  return pieces;
}

describe('TokenCache', () => {
  it('gives what is made of each piece between gaps, of any text and kind', () => {
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

  it('gives the same of a run within a text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(40), fc.nat(40), (text, from, length) => {
        const [start, end] = [Math.min(from, text.length), Math.min(from + length, text.length)];
        expect(known.of(text, start, end, 3)).toBe(`3:${text.slice(start, end)}`);
      }),
    );
  });

  it('makes it once of the same piece of one kind', () => {
    let times = 0;
    const counted = new TokenCache(rule, () => ++times);
    counted.eachIn('one two one', 0, () => undefined);
    expect(counted.of('(one)', 1, 4, 0)).toBe(1);
    expect(counted.of('one', 0, 3, 1)).toBe(3);
  });

  it('answers the same when there are more pieces than places', () => {
    const pieces = Array.from({ length: 150_000 }, (_, i) => (i * 7919).toString(36));
    const text = pieces.join(' ');
    for (let pass = 0; pass < 2; pass++) {
      let at = 0;
      let wrong = 0;
      known.eachIn(text, 0, (made) => {
        if (made !== `0:${pieces[at++]}`) wrong++;
      });
      expect([at, wrong]).toEqual([pieces.length, 0]);
    }
  });

  it('is not kept looking by pieces that were chosen to meet', () => {
    let times = 0;
    const counted = new TokenCache(rule, (piece) => {
      times++;
      return piece;
    });
    const pieces = meetingPieces(40);
    for (let pass = 0; pass < 2; pass++) {
      const found: string[] = [];
      counted.eachIn(pieces.join(' '), 0, (made) => found.push(made));
      expect(found).toEqual(pieces);
    }
    expect(times).toBe(40 + 8);
  });

  it('remembers no long pieces', () => {
    let times = 0;
    const counted = new TokenCache(rule, () => ++times);
    counted.eachIn(`${'x'.repeat(32)} ${'x'.repeat(32)} ${'y'.repeat(33)} ${'y'.repeat(33)}`, 0, () => undefined);
    expect(times).toBe(3);
  });
});
