import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { indexesOfWholes } from '../../../lambdas/domain/search/rank/weighted-terms.ts';
import { MAX_QUERY_TERMS, queryTerms, titleLength } from '../../../lambdas/text/words/query-terms.ts';

const asked = (query: string, languages: readonly string[]): readonly string[] =>
  queryTerms(query, languages).flatMap(({ term, question }) => (question ? [] : [term]));

describe('queryTerms', () => {
  it('marks question words', () => {
    expect(asked('How do I reset my password?', ['en'])).toEqual(['reset', 'password']);
    expect(asked('how much is a day ticket', ['en'])).toEqual(['day', 'ticket']);
    expect(asked('Wie kann ich mein Passwort ändern?', ['de-AT'])).toEqual(['passwort', 'andern']);
    expect(asked('how do I reset it', [''])).toEqual(['reset']);
  });

  it('marks no word if there are no others', () => {
    expect(asked('Who are we?', ['en'])).toEqual(['who', 'are', 'we']);
  });

  it('marks question words only in the languages of the site', () => {
    expect(asked('war crimes', ['en'])).toEqual(['war', 'crimes']);
  });

  it('has the stem of each word in every language of the site', () => {
    expect(queryTerms('libraries', ['en', 'en-GB', 'de', ''])).toEqual([
      { term: 'libraries', forms: ['libraries', 'librari'], question: false, position: 0 },
    ]);
  });

  it('has one term for words with the same stem', () => {
    expect(asked('connection connections Connecting', ['en'])).toEqual(['connection']);
  });

  it('names the identifier that a term is a part of', () => {
    expect(queryTerms('run pg_dump', ['en']).map(({ term, wholeAt }) => [term, wholeAt])).toEqual([
      ['run', undefined],
      ['pg_dump', undefined],
      ['pg', 1],
      ['dump', 1],
    ]);
  });

  it('keeps the longest of many words in their order', () => {
    const short = Array.from({ length: 40 }, (_, i) => `w${i}`);
    const kept = asked(`how ${short.join(' ')} elephant giraffe`, ['en']);
    expect(kept).toHaveLength(MAX_QUERY_TERMS);
    expect(kept.slice(-2)).toEqual(['elephant', 'giraffe']);
    expect(kept).not.toContain('how');
  });

  it('has at most 32 terms with one form or more for any query, parts after their identifiers', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.subarray(['en', 'fr', 'ja', '']),
        (query, languages) => {
          const found = queryTerms(query, languages);
          expect(found.length).toBeLessThanOrEqual(MAX_QUERY_TERMS);
          expect(new Set(found.map(({ forms }) => forms.join(' '))).size).toBe(found.length);
          for (const [i, { forms, wholeAt }] of found.entries()) {
            expect(forms.length).toBeGreaterThan(0);
            expect(wholeAt ?? -1).toBeLessThan(i);
          }
        },
      ),
    );
  });
});

describe('titleLength', () => {
  it('counts distinct terms without question words', () => {
    expect(titleLength('How to reset a password, and passwords', 'en')).toBe(2);
    expect(titleLength('', 'en')).toBe(0);
  });

  it('counts the parts of an identifier, not the whole', () => {
    expect(titleLength('git-rebase', 'en')).toBe(2);
    expect(titleLength('C++', 'en')).toBe(1);
  });

  it('is the number of terms of the same query', () => {
    const word = fc.constantFrom(
      'how',
      'the',
      'pg_dump',
      'dump',
      'pg',
      'Städte',
      'maxSize',
      'x/y/z',
      '検索',
      '(',
      'wie',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), fc.constantFrom('', 'en', 'de-AT', 'ja'), (parts, language) => {
        const named = queryTerms(parts.join(' '), [language]);
        const wholes = indexesOfWholes(named);
        const asked = named.filter(({ question }, i) => !question && !wholes.has(i));
        expect(titleLength(parts.join(' '), language)).toBe(asked.length);
      }),
    );
  });
});
