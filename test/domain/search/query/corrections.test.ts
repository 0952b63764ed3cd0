import { describe, expect, it } from '@jest/globals';
import { bestCorrection, halfKnownSplits } from '../../../../lambdas/domain/search/query/corrections.ts';

const words = (pages: Readonly<Record<string, number>>) =>
  Object.entries(pages).map(([word, count]) => ({ word, pages: count }));

describe('bestCorrection', () => {
  it.each([
    ['a frequent word', 'wndow', { window: 9, wendow: 2 }, 'window'],
    ['two letters swapped rather than one replaced', 'ladp', { ladt: 20, ldap: 13 }, 'ldap'],
    ['a letter left out rather than one replaced', 'moc', { mac: 20, mock: 13 }, 'mock'],
    ['a much more frequent word all the same', 'ladp', { ladt: 200, ldap: 13 }, 'ladt'],
    ['one edit rather than two', 'installatio', { instillations: 50, installation: 1 }, 'installation'],
    ['a word with the same first letter', 'table', { cable: 9, tables: 1 }, 'tables'],
  ])('prefers %s', (_, typed, pages, expected) => {
    expect(bestCorrection(typed, words(pages))?.word).toBe(expected);
  });
});

describe('halfKnownSplits', () => {
  it('reads a compound as a part of four letters or more and an unknown one of five, the longest known part first', () => {
    const known = new Set(['fern', 'anmeldung', 'meldung', 'dung']);
    const read = (word: string) => halfKnownSplits(word, known).map(({ rest, join }) => [rest, join('other')]);
    expect(read('fersanmeldung')).toEqual([
      ['fersan', 'other meldung'],
      ['fersanmel', 'other dung'],
    ]);
    expect(read('fernanmedlung')).toEqual([['anmedlung', 'fern other']]);
    expect(read('feranmeldung')).toEqual([
      ['feran', 'other meldung'],
      ['feranmel', 'other dung'],
    ]);
  });
});
