import { describe, expect, it } from '@jest/globals';
import { queryTerms } from '../../../lambdas/text/words/query-terms.ts';
import { termMatches } from '../../../lambdas/text/words/term-matches.ts';
import { terms } from '../../../lambdas/text/words/terms.ts';

const matches = (query: string, text: string) => termMatches(queryTerms(query, ['en']), terms(text, 'en'));
const together = (query: string, text: string): readonly string[] => {
  const { phrase } = matches(query, text);
  return queryTerms(query, ['en']).flatMap(({ term }, i) => (phrase[i] ? [term] : []));
};

describe('termMatches', () => {
  it('counts every form of a word', () => {
    expect(matches('connection pool', 'Connections: a connecting pool, connected').frequencies).toEqual([3, 1]);
  });

  it('finds phrases in the order of the query', () => {
    expect(together('reset password', 'to reset passwords')).toEqual(['reset', 'password']);
    expect(together('reset password', 'the password reset')).toEqual([]);
    expect(together('reset password', 'reset a forgotten password')).toEqual([]);
    expect(together('big red apple', 'a red apple, big')).toEqual(['red', 'apple']);
  });

  it('allows the same distance between words as in the query', () => {
    expect(together('how do I reset my password', 'reset password')).toEqual(['reset', 'password']);
    expect(together('how do I reset my password', 'reset your password')).toEqual(['reset', 'password']);
  });

  it('treats an identifier as one word', () => {
    expect(together('run pg_dump now', 'run pg_dump now')).toEqual(['run', 'pg_dump', 'pg', 'dump', 'now']);
    expect(together('pg_dump', 'pg_dump')).toEqual([]);
    expect(together('date to_char', 'date char')).toEqual(['date', 'char']);
    expect(together('date to_char', 'date to')).toEqual([]);
  });

  it('is empty for an empty query or text', () => {
    expect(matches('', 'text')).toEqual({ frequencies: [], phrase: [] });
    expect(matches('query', '')).toEqual({ frequencies: [0], phrase: [false] });
  });
});
