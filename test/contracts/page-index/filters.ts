import { expect, it } from '@jest/globals';
import type { PageFilter, SearchScope } from '../../../lambdas/domain/ports/index-reader.ts';
import type { PageIndex, SiteScope } from '../../../lambdas/domain/ports/page-index.ts';
import { embeddedAt, newScope, queryVectorAt } from '../../support/index-entries.ts';
import { type Access, named, put, type QueryParts, search, urls, urlsOf } from './queries.ts';

export function filters(index: Access): void {
  async function site(): Promise<SiteScope> {
    const scope = newScope();
    const texts = ['gopher'];
    const embedded = [embeddedAt(10)];
    await put(index(), scope, [
      named('a', {
        texts,
        embedded,
        tags: ['red', "it's"],
        language: 'en',
        facts: ['n:size=10', 's:kind=x'],
        publishedAt: '2026-01-10T00:00:00.000Z',
      }),
      named('b', {
        texts,
        embedded,
        tags: ['blue'],
        language: 'de',
        facts: ['n:size=20', 's:kind=y'],
        publishedAt: '2026-02-10T00:00:00.000Z',
        aliases: ['https://example.org/older/b', 'https://example.org/old/b'],
      }),
      named('c', {
        texts,
        embedded,
        tags: ['red', 'blue'],
        language: 'fr',
        facts: ['n:size=30'],
        aliases: ['https://example.org/older/c'],
      }),
    ]);
    return scope;
  }
  const cases: Record<string, readonly [readonly PageFilter[], readonly string[]]> = {
    'a tag': [[{ field: 'tags', anyOf: ['red'] }], ['a', 'c']],
    'a tag with a quote': [[{ field: 'tags', anyOf: ["it's"] }], ['a']],
    'any of some tags': [[{ field: 'tags', anyOf: ['red', 'blue'] }], ['a', 'b', 'c']],
    'none of no tags': [[{ field: 'tags', anyOf: [] }], []],
    'a language': [[{ field: 'language', anyOf: ['de', 'fr'] }], ['b', 'c']],
    'a fact': [[{ field: 'facts', anyOf: ['s:kind=y'] }], ['b']],
    'a range of facts, both ends included': [[{ field: 'facts', from: 'n:size=10', to: 'n:size=20' }], ['a', 'b']],
    'a range of dates': [[{ field: 'publishedAt', from: '2026-02-01', to: '2026-03-01' }], ['b']],
    'several at once': [
      [
        { field: 'tags', anyOf: ['red'] },
        { field: 'facts', from: 'n:size=15', to: 'n:size=99' },
      ],
      ['c'],
    ],
    'what no page has': [[{ field: 'tags', anyOf: ['re'] }], []],
    'a prefix of the URL': [[{ field: 'url', urlPrefixes: ['https://example.org/a'], pathPrefixes: [] }], ['a']],
    'a prefix of the path': [[{ field: 'url', urlPrefixes: [], pathPrefixes: ['/b', '/c'] }], ['b', 'c']],
    'a prefix of an alias': [[{ field: 'url', urlPrefixes: ['https://example.org/old/'], pathPrefixes: [] }], ['b']],
    'a prefix of the path of an alias': [[{ field: 'url', urlPrefixes: [], pathPrefixes: ['/older/'] }], ['b', 'c']],
    'no prefix': [[{ field: 'url', urlPrefixes: [], pathPrefixes: [] }], []],
    'one of several filters': [
      [
        {
          field: 'any',
          of: [
            { field: 'tags', anyOf: ["it's"] },
            { field: 'facts', from: 'n:size=25', to: 'n:size=99' },
          ],
        },
      ],
      ['a', 'c'],
    ],
  };
  for (const [what, [wanted, names]] of Object.entries(cases)) {
    it(`filters apply by words and by vector: ${what}`, async () => {
      const scope = await site();
      expect(urlsOf(await search(index(), scope, 'gopher', { filters: wanted }))).toEqual(urls(...names));
      const near = await search(index(), scope, 'unknown', { filters: wanted, vector: queryVectorAt(0) });
      expect(urlsOf(near)).toEqual(urls(...names));
    });
  }

  it('filters apply before the best pages are chosen', async () => {
    const scope = newScope();
    const better = Array.from({ length: 20 }, () => ({
      texts: ['gopher gopher'],
      embedded: [embeddedAt(1)],
      title: 'A',
    }));
    await put(index(), scope, better);
    await put(index(), scope, [
      named('tagged', { title: 'A', tags: ['x'], texts: ['some gopher here'], embedded: [embeddedAt(60)] }),
    ]);
    const wanted: QueryParts = { filters: [{ field: 'tags', anyOf: ['x'] }], limit: 1 };
    expect(urlsOf(await search(index(), scope, 'gopher', wanted))).toEqual(urls('tagged'));
    expect(urlsOf(await search(index(), scope, 'unknown', { ...wanted, vector: queryVectorAt(0) }))).toEqual(
      urls('tagged'),
    );
  });

  it('filters do not change the statistics', async () => {
    const scope = await site();
    const found = await search(index(), scope, 'gopher', { filters: [{ field: 'tags', anyOf: ['none'] }] });
    expect(found.statistics.get(scope.siteId)).toMatchObject({ chunks: 3, documentFrequency: [3] });
  });
}

export function facets(index: Access): void {
  const site = async (): Promise<SiteScope> => {
    const scope = newScope();
    await put(index(), scope, [
      { tags: ['b', 'a'], language: 'en', facts: ['s:k=x', 'n:p=10'] },
      { tags: ['b'], language: 'en', facts: ['s:k=y', 's:k=x', 'n:p=30'] },
      { tags: ['c'], language: 'de', facts: ['n:p=20', 's:kk=z'] },
    ]);
    return scope;
  };
  const count = (
    scopes: readonly [SearchScope, ...SearchScope[]],
    parts: Partial<Parameters<PageIndex['facets']>[0]>,
  ) => index().facets({ scopes, fields: [{ name: 'tags', field: 'tags' }], limit: 10, ...parts });

  it('facets count the pages of each value, by falling count, then by value', async () => {
    const scope = await site();
    const fields = [
      { name: 'Tags', field: 'tags' },
      { name: 'lang', field: 'language' },
      { name: 'k', field: 'facts', prefix: 's:k=' },
    ] as const;
    const found = await count([scope], { fields });
    const values = (name: string) =>
      found.find((facet) => facet.name === name)?.values.map((facet) => [facet.value, facet.count]);
    expect(found.map(({ name }) => name)).toEqual(['Tags', 'lang', 'k']);
    expect(values('Tags')).toEqual([
      ['b', 2],
      ['a', 1],
      ['c', 1],
    ]);
    expect(values('lang')).toEqual([
      ['en', 2],
      ['de', 1],
    ]);
    expect(values('k')).toEqual([
      ['x', 2],
      ['y', 1],
    ]);
  });

  it('facets report the smallest and the largest value, also beyond the limit', async () => {
    const scope = await site();
    const [facet] = await count([scope], { fields: [{ name: 'p', field: 'facts', prefix: 'n:p=' }], limit: 1 });
    expect(facet?.values).toHaveLength(1);
    expect(facet?.range).toEqual(['10', '30']);
    const [none] = await count([scope], { fields: [{ name: 'q', field: 'facts', prefix: 'n:q=' }] });
    expect(none).toEqual({ name: 'q', values: [] });
  });

  it('facets count the pages that pass the filters, over several sites and no others', async () => {
    const [a, b] = [await site(), await site()];
    const english = { filters: [{ field: 'language', anyOf: ['en'] }] } as const;
    const [facet] = await count(
      [
        { ...a, ...english },
        { ...b, ...english },
      ],
      {},
    );
    expect(facet?.values).toEqual([
      { value: 'b', count: 4 },
      { value: 'a', count: 2 },
    ]);
    const [ofBoth] = await count([{ ...a, ...english }, b], {});
    expect(ofBoth?.values).toEqual([
      { value: 'b', count: 4 },
      { value: 'a', count: 2 },
      { value: 'c', count: 1 },
    ]);
    expect((await count([{ ...a, generation: 2 }], {}))[0]?.values).toEqual([]);
  });
}

export function finding(index: Access): void {
  const site = async (): Promise<SiteScope> => {
    const scope = newScope();
    await put(index(), scope, [
      named('c', { title: 'Über Gopher' }),
      named('a', { title: 'The GOPHER 100%' }),
      named('gopher/b', { title: 'Other' }),
      named('d', { title: 'None' }),
    ]);
    await put(index(), newScope(), [named('foreign', { title: 'Gopher' })]);
    return scope;
  };
  const find = async (scope: SiteScope, text: string, limit = 10, after?: string) =>
    index().find(scope, { text, limit, ...(after === undefined ? {} : { after }) });

  it('finds a text in titles and URLs, ignoring case, ordered by URL', async () => {
    const scope = await site();
    const { items, next } = await find(scope, 'gOpHeR');
    expect(items.map(({ url }) => url)).toEqual(urls('a', 'c', 'gopher/b'));
    const first = { url: urls('a')[0], urlHash: expect.stringMatching(/./), title: 'The GOPHER 100%' };
    expect(items[0]).toEqual({ ...first, revision: expect.any(Number) });
    expect(next).toBeUndefined();
    expect((await find(scope, 'ÜBER')).items).toHaveLength(1);
    expect((await find(scope, '%')).items).toHaveLength(1);
    expect((await find(scope, '')).items).toHaveLength(4);
  });

  it('lists every page once, one at a time', async () => {
    const scope = await site();
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await find(scope, 'gopher', 1, after);
      found.push(...page.items.map(({ url }) => url));
      after = page.next;
    } while (after !== undefined && found.length < 10);
    expect(found).toEqual(urls('a', 'c', 'gopher/b'));
  });
}
