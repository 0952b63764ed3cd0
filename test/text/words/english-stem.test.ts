import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { englishStem } from '../../../lambdas/text/words/english-stem.ts';

describe('englishStem', () => {
  it.each([
    ['connection', 'connect'],
    ['connections', 'connect'],
    ['connecting', 'connect'],
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['ties', 'tie'],
    ['gas', 'gas'],
    ['kiwis', 'kiwi'],
    ['agreed', 'agre'],
    ['hopping', 'hop'],
    ['hoping', 'hope'],
    ['adding', 'add'],
    ['luxuriated', 'luxuri'],
    ['say', 'say'],
    ['crying', 'cri'],
    ['boyish', 'boyish'],
    ['youth', 'youth'],
    ['relational', 'relat'],
    ['vietnamization', 'vietnam'],
    ['technology', 'technolog'],
    ['hopefully', 'hope'],
    ['electrical', 'electr'],
    ['adjustment', 'adjust'],
    ['controlling', 'control'],
    ['rate', 'rate'],
    ['dying', 'die'],
    ['skies', 'sky'],
    ['news', 'news'],
    ['proceed', 'proceed'],
    ['generic', 'generic'],
    ['generally', 'general'],
    ['universities', 'universiti'],
    ['universe', 'univers'],
  ])('stems %s to %s', (word, stem) => {
    expect(englishStem(word)).toBe(stem);
  });

  it('never adds more than an e, and returns lower case', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{0,64}$/), (word) => {
        const stem = englishStem(word);
        expect(stem.length).toBeLessThanOrEqual(word.length + 1);
        expect(stem).toBe(stem.toLowerCase());
      }),
    );
  });
});
