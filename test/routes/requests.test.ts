import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Route } from '../../lambdas/routes/route.ts';
import { routes } from '../../lambdas/routes.ts';

const parsed = (name: keyof typeof routes, part: 'params' | 'query' | 'body', input: unknown) => {
  const { [part]: schema }: Route = routes[name];
  if (!schema) throw new Error(`${name} has no ${part}`);
  const { data, error } = schema.safeParse(input);
  return error ? { issues: error.issues.map(({ path }) => path.join('.')) } : data;
};

describe('numbers in a URL', () => {
  it('numbers in a URL have the defaults of the contract', () => {
    const ours = { autocomplete: true, exact: false, sections: 0 };
    const asked = { q: 'x', limit: 10, minScore: 0.3, offset: 0, ...ours };
    expect(parsed('search-site', 'query', { q: 'x' })).toEqual(asked);
    expect(parsed('search-group', 'query', { q: 'x' })).toEqual(asked);
    expect(parsed('list-pages', 'query', {})).toEqual({ limit: 50 });
    expect(parsed('list-index-pages', 'query', {})).toEqual({ limit: 50 });
    expect(parsed('list-top-queries', 'query', {})).toEqual({ range: '30d', limit: 20 });
  });

  it.each([
    ['search-site', 100],
    ['search-group', 50],
    ['list-pages', 200],
    ['list-index-pages', 100],
    ['list-top-queries', 100],
  ] as const)('of %s go up to a limit of %i', (name, most) => {
    expect(parsed(name, 'query', { q: 'x', limit: String(most) })).toMatchObject({ limit: most });
    expect(parsed(name, 'query', { q: 'x', limit: String(most + 1) })).toEqual({ issues: ['limit'] });
  });

  it.each([
    '',
    ' ',
    'abc',
    '1.5',
    '0',
    '-1',
    '101',
    '1e1',
    '0x10',
    ' 7',
    '7 ',
    '+7',
    'NaN',
    'Infinity',
    '9'.repeat(400),
  ])('refuse the limit "%s"', (limit) =>
    expect(parsed('search-site', 'query', { q: 'x', limit })).toEqual({ issues: ['limit'] }),
  );

  it.each(['', 'abc', '-0.1', '1.01', '.'])('refuse the minScore "%s"', (minScore) =>
    expect(parsed('search-site', 'query', { q: 'x', minScore })).toEqual({ issues: ['minScore'] }),
  );

  it('numbers in a URL accept only text that spells a number', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.integer({ min: -5, max: 150 }).map(String), fc.double().map(String)),
        (limit) => {
          const query = parsed('search-site', 'query', { q: 'x', limit });
          if ('issues' in Object(query)) return Number(limit) < 1 || Number(limit) > 100 || !/^\d+$/.test(limit);
          expect(query).toMatchObject({ limit: Number(limit) });
          return true;
        },
      ),
    );
  });
});

describe('a query', () => {
  it('has 1 to 2,048 characters without surrounding blanks', () => {
    expect(parsed('search-site', 'query', { q: `  ${'x'.repeat(2048)} ` })).toMatchObject({ q: 'x'.repeat(2048) });
    for (const q of ['', ' \t', 'x'.repeat(2049)]) {
      expect(parsed('search-site', 'query', { q })).toEqual({ issues: ['q'] });
      expect(parsed('search-site-by-post', 'body', { query: q })).toEqual({ issues: ['query'] });
    }
  });

  it('has all its faults reported at once', () => {
    const query = { limit: 'x', minScore: '2', offset: '1001', filters: '{', facets: '' };
    const issues = ['q', 'limit', 'minScore', 'offset', 'filters', 'facets.0'];
    expect(parsed('search-site', 'query', query)).toEqual({ issues });
  });

  it('is refused by POST if its numbers are texts', () => {
    expect(parsed('search-site-by-post', 'body', { query: 'x', limit: '5' })).toEqual({ issues: ['limit'] });
  });

  it('may have unknown fields, which are ignored', () => {
    expect(parsed('search-site-by-post', 'body', { query: 'x', more: 1 })).not.toHaveProperty('more');
  });
});

describe('filters', () => {
  const filters = { tags: ['a', 'b'], price: { gte: 1, lte: 2.5 }, publishedAt: { gte: '2026-01-31' }, free: true };

  it('are the same by GET and by POST', () => {
    expect(parsed('search-site-by-post', 'body', { query: 'x', filters })).toMatchObject({ filters });
    expect(parsed('search-site', 'query', { q: 'x', filters: JSON.stringify(filters) })).toMatchObject({ filters });
  });

  it.each([
    ['a list', '[]', 'filters'],
    ['a truncated object', '{"a":', 'filters'],
    ['unclosed brackets', '['.repeat(8000), 'filters'],
    ['a null', '{"a":null}', 'filters.a'],
    ['an empty list of values', '{"a":[]}', 'filters.a'],
    ['a range without a bound', '{"a":{}}', 'filters.a'],
    ['a bound that is not a date', '{"a":{"gte":"soon"}}', 'filters.a'],
    ['a field that a record would drop', '{"__proto__":"x"}', 'filters.__proto__'],
  ])('are refused as %s', (_, text, issue) => {
    expect(parsed('search-site', 'query', { q: 'x', filters: text })).toEqual({ issues: [issue] });
  });

  it('are refused with a misspelt bound, which would return too many results', () => {
    const issues = expect.arrayContaining(['filters.a']);
    expect(parsed('search-site', 'query', { q: 'x', filters: '{"a":{"gte":1,"lt":2}}' })).toEqual({ issues });
  });

  it('never make the schema throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        parsed('search-site', 'query', { q: 'x', filters: text });
      }),
    );
  });
});

describe('bodies', () => {
  it('start a crawl if absent, empty or settings of a crawler, but not with an unknown setting', () => {
    expect(parsed('start-crawl', 'body', undefined)).toBeUndefined();
    expect(parsed('start-crawl', 'body', {})).toEqual({});
    expect(parsed('start-crawl', 'body', { maxPages: 5 })).toEqual({ maxPages: 5 });
    expect(parsed('start-crawl', 'body', { maxPage: 5 })).toEqual({ issues: [''] });
  });

  it('accept a reason only of the given outcome', () => {
    expect(parsed('list-job-pages', 'query', { outcome: 'gone', reason: '410' })).toMatchObject({ reason: '410' });
    expect(parsed('list-job-pages', 'query', { outcome: 'gone', reason: 'robots' })).toEqual({ issues: ['reason'] });
  });

  it('ingest 1 to 100 items, which are validated one by one later', () => {
    expect(parsed('ingest-pages', 'body', { pages: [{ url: '/a', content: 'b' }, null, { url: 5 }] })).toEqual({
      pages: [{ url: '/a', content: 'b', contentType: 'html', preProcessed: false }, null, { url: 5 }],
    });
    for (const pages of [[], Array(101).fill({}), 'x'])
      expect(parsed('ingest-pages', 'body', { pages })).toEqual({ issues: ['pages'] });
  });

  it('delete pages by at least one of URLs, patterns and keys', () => {
    expect(parsed('delete-pages', 'body', { keys: ['a'] })).toEqual({ keys: ['a'] });
    for (const body of [{}, { urls: [], patterns: [] }])
      expect(parsed('delete-pages', 'body', body)).toEqual({ issues: [''] });
  });

  it('accept a chat question as message or query, but not two different ones', () => {
    for (const body of [{ message: 'a' }, { query: 'a' }, { message: 'a', query: ' a' }]) {
      expect(parsed('chat-with-site', 'body', body)).toEqual({ question: 'a' });
    }
    for (const body of [{}, { message: 'a', query: 'b' }]) {
      expect(parsed('chat-with-site', 'body', body)).toEqual({ issues: ['message'] });
    }
  });
});
