import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { endsWords, independentPieces, words } from '../../../lambdas/text/words/words.ts';

/** Separates words like an ASCII blank, but not on the fast path for plain words. */
const OTHER_BLANK = '\u2003';

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

describe('independentPieces', () => {
  it('are what is between the ASCII characters that end words', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ASCII.slice(1), '東', '\u00a0', 'ab')), (characters) => {
        const isEnd = (character: string) => ASCII.includes(character) && endsWords(character);
        const expected = characters.map((character) => (isEnd(character) ? '\0\0' : character)).join('');
        expect(independentPieces(characters.join(''))).toEqual(expected.split('\0\0').filter((piece) => piece !== ''));
      }),
    );
  });
});

describe('words', () => {
  it('are the words on both sides of a separator', () => {
    const side = fc.array(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), fc.constantFrom(...ASCII, 'C++', '東')),
    );
    fc.assert(
      fc.property(side, fc.constantFrom(...ASCII.filter(endsWords)), side, (before, sign, after) => {
        const left = before.join('') + sign;
        const right = Array.from(words(after.join('')), ({ spans }) =>
          spans.map(({ start, end }) => ({ start: left.length + start, end: left.length + end })),
        );
        const expected = [...Array.from(words(left), ({ spans }) => spans), ...right];
        expect(Array.from(words(left + after.join('')), ({ spans }) => spans)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('are the same with and without the fast path', () => {
    const parts = [
      'ab',
      'Ab',
      'AB',
      'maxSize',
      'x1',
      '9',
      'C++',
      "it's",
      'pg_dump',
      '--jobs',
      'é',
      '東京',
      '.',
      ':',
      '-',
      '/',
      "'",
    ];
    const text = fc
      .array(fc.oneof(fc.constantFrom(...parts), fc.constant(' '), fc.constantFrom(...'@$_&+#')), { maxLength: 20 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, (plain) => {
        expect([...words(plain)]).toEqual([...words(plain.replaceAll(' ', OTHER_BLANK))]);
      }),
    );
  });
});
