import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { searchedLanguage } from '../../../lambdas/text/words/searched-language.ts';

describe('searchedLanguage', () => {
  it.each([
    ['en', 'en'],
    ['de-AT', 'de'],
    ['pt_BR', 'pt'],
    ['', ''],
    [undefined, ''],
    ['ja', 'und'],
    ['xq', 'und'],
    ['nonsense', 'und'],
    ['und', 'und'],
  ])('of %j is %j', (tag, language) => {
    expect(searchedLanguage(tag)).toBe(language);
  });

  it('is one of a few, whatever languages pages name', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz-'), maxLength: 4 });
    const tags = fc.sample(letters, 5000);
    expect(new Set(tags.map(searchedLanguage)).size).toBeLessThan(40);
  });
});
