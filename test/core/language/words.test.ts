import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { words } from '../../../lambdas/core/language/words.ts';

/** As wide as an ASCII blank, but not looked at by the quick way for plain words. */
const OTHER_BLANK = '\u2003';

describe('words', () => {
  it('are the same whether they are found the quick way or not', () => {
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
