import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutsBeginnings, stem } from '../../../lambdas/core/language/stemmer.ts';

const LANGUAGES = 'ar bg da de el en es fi fr hu id it nb nl nn no pt ro ru sv tr uk'.split(' ');
const syllables = fc.constantFrom(
  ...'a e i o u y b d g k l m n p r s t w z me pe ber ter en er ing ed ies ion es'.split(' '),
);
const words = fc.array(syllables, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));

describe('stem', () => {
  it.each(LANGUAGES.filter((language) => !cutsBeginnings(language)))('begins as its word does in %s', (language) => {
    fc.assert(fc.property(words, (word) => expect(stem(word, language).charAt(0)).toBe(word.charAt(0))));
  });

  it('may begin otherwise in Indonesian', () => {
    expect(stem('membaca', 'id')).toBe('baca');
  });
});
