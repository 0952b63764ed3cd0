import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isOneEditFromPrefix, withinEditDistance } from '../../../lambdas/text/words/edit-distance.ts';

describe('isOneEditFromPrefix', () => {
  it('is what comparing with every beginning of the word says', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, (text, word) => {
        const beginnings = Array.from({ length: word.length + 1 }, (_, length) => word.slice(0, length));
        const expected = beginnings.some((beginning) => withinEditDistance(text, beginning, 1));
        expect(isOneEditFromPrefix(text, word)).toBe(expected);
      }),
    );
  });
});

describe('withinEditDistance', () => {
  const cases: readonly (readonly [string, string, number])[] = [
    ['backup', 'backup', 0],
    ['backup', 'bakcup', 1],
    ['backup', 'bakup', 1],
    ['backup', 'bbackup', 1],
    ['backup', 'backap', 1],
    ['backup', 'abckpu', 2],
    ['backup', 'backing', 3],
    ['', 'ab', 2],
  ];
  for (const [a, b, edits] of cases) {
    it(`takes ${edits} edits from "${a}" to "${b}" and back`, () => {
      for (const [from, to] of [
        [a, b],
        [b, a],
      ] as const) {
        expect([withinEditDistance(from, to, edits), edits > 0 && withinEditDistance(from, to, edits - 1)]).toEqual([
          true,
          false,
        ]);
      }
    });
  }
});
