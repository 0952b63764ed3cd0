import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AsciiTokenizer } from '../../../lambdas/text/words/ascii-tokenizer.ts';

const PATTERNS = {
  letters: /\p{L}[\p{L}\p{M}'\u2019]*/gu,
  names: /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’+#_-]*(?:\.[\p{L}\p{N}]{1,3}(?![\p{L}\p{M}\p{N}'’+#_-]))*/gu,
};
const normal = (word: string): string => word.toLowerCase().replace(/['’]/g, '');

const part = fc.oneof(
  fc.constantFrom(
    'the',
    'Index',
    'pg_dump',
    'Node.js',
    'U.S.',
    'e.g.',
    'C++',
    "l'eau",
    'qu’il',
    'e\u0301te',
    '42',
    'v1.2',
  ),
  fc.constantFrom(
    ' ',
    '\n',
    ', ',
    '. ',
    '(',
    ') ',
    '-',
    "'",
    '.',
    '\0',
    '\u00a0',
    '\ud800',
    '\udc00',
    '索引',
    '\u0301',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const texts = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));

describe('AsciiTokenizer', () => {
  it.each(Object.entries(PATTERNS))('finds the same words as its pattern: %s', (_, pattern) => {
    const cutter = new AsciiTokenizer(pattern, normal);
    fc.assert(
      fc.property(texts, (text) => {
        expect(cutter.words(text)).toEqual((text.match(pattern) ?? []).map(normal));
      }),
      { numRuns: 1000 },
    );
  });

  it('gives at most the requested number of words', () => {
    const cutter = new AsciiTokenizer(PATTERNS.names, normal);
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 9 }), (text, most) => {
        expect(cutter.words(text, most)).toEqual(cutter.words(text).slice(0, most));
      }),
    );
  });
});
