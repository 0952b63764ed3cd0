import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LabelReader } from '../../../lambdas/text/words/labels.ts';
import { indexedTerms } from '../../../lambdas/text/words/terms.ts';

const SAID = 'says in a sentence of its own, longer than sixty characters, what it is.';
const labels = (text: string, headings: readonly string[] = []) =>
  Object.fromEntries(new LabelReader('en').termsOf({ headings, text }).map(({ term, length }) => [term, length]));

describe('LabelReader', () => {
  it('are the terms of headings, each with the length of the shortest heading', () => {
    expect(labels('', ['Advisory locks', 'Locks', 'How to take locks'])).toEqual({
      advisori: 2,
      lock: 1,
      how: 2,
      to: 2,
      take: 2,
    });
  });

  it.each([
    ['a definition list', `advisory lock\n${SAID}`],
    ['a setting with its type', `advisory lock (boolean)\n${SAID}`],
    ['a value', `advisory lock=on ${SAID}`],
    ['a colon', `advisory lock: ${SAID}`],
    ['a dash', `advisory lock — ${SAID}`],
    ['the cell of a row', `advisory lock | ${SAID}`],
    ['an option in brackets', `[advisory lock] ${SAID}`],
  ])('are the terms of a name with an explanation: %s', (_, text) => {
    expect(labels(`Something said before.\n${text}`)).toEqual({ advisori: 2, lock: 2 });
  });

  it.each([
    ['a table of contents', 'Advisory locks\nRow locks\nTable locks'],
    ['an index', 'advisory lock, Explicit Locking, pg_locks\nalias, FROM clause'],
    ['running text', `An advisory lock, unlike others, is held until the session ends or it is released. ${SAID}`],
    ['nothing', ''],
  ])('are absent for %s', (_, text) => {
    expect(labels(text)).toEqual({});
  });

  it('are indexed terms of the text, each once, with lengths of 1 to 15', () => {
    const part = fc.constantFrom(
      'a',
      'pg_dump',
      ' ',
      '\n',
      '(',
      '=',
      ':',
      ' | ',
      '検索',
      SAID,
      'x'.repeat(90),
      '<',
      '😀',
      ' — ',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        const found = new LabelReader('en').termsOf({ headings: ['Some heading'], text });
        const own = new Set(indexedTerms(`Some heading\n${text}`, 'en').terms.flat());
        expect(found.filter(({ term }) => !own.has(term))).toEqual([]);
        expect(new Set(found.map(({ term }) => term)).size).toBe(found.length);
        expect(found.every(({ length }) => length >= 1 && length <= 15)).toBe(true);
      }),
    );
  });

  it.each([' ', '(', '[(', 'a\n', '= ', ' - '])('are found in little time in a long text of %j', (part) => {
    expect(new LabelReader('en').termsOf({ headings: [], text: part.repeat(100_000) }).length).toBeLessThan(10);
  });
});
