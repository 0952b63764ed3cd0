import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { SearchScope } from '../../../lambdas/domain/ports/index-reader.ts';
import type { IndexEntry } from '../../../lambdas/domain/ports/page-index.ts';
import { matchPages } from '../../../lambdas/domain/search/match-pages.ts';
import { type Boosts, NO_BOOSTS } from '../../../lambdas/domain/search/rank/boosts.ts';
import type { SiteRecord } from '../../../lambdas/domain/sites/site.ts';
import { queryTerms } from '../../../lambdas/text/words/query-terms.ts';
import { embeddedAt, newScope, type PageParts, queryVectorAt } from '../../support/index-entries.ts';
import { type Access, COSINE_DIGITS, named, put, search, sitesAndUrls, urls, urlsOf } from './queries.ts';

export function boosts(index: Access): void {
  const page = (n: number, parts: PageParts) => named(`${n}`, { title: 'A', embedded: [embeddedAt(40)], ...parts });

  it('boosts raise a page that is far down by its text', async () => {
    const scope = newScope();
    await put(index(), scope, [
      ...Array.from({ length: 40 }, (_, n) => page(n, { texts: ['gopher gopher gopher'] })),
      page(99, { tags: ['up'], texts: [`one gopher among ${'many other words '.repeat(20)}`] }),
    ]);
    const tagged = { ...NO_BOOSTS, tagBoosts: [{ tag: 'up', boost: 6 }] };
    const byPath = { ...NO_BOOSTS, urlBoosts: [{ urlPrefix: '/99', boost: 6 }] };
    const byUrl = { ...NO_BOOSTS, urlBoosts: [{ urlPrefix: 'https://example.org/99', boost: 6 }] };
    for (const applied of [tagged, byPath, byUrl])
      for (const parts of [{}, { vector: queryVectorAt(0) }])
        expect(urlsOf(await search(index(), scope, 'gopher', { boosts: applied, limit: 2, ...parts }))).toContain(
          'https://example.org/99',
        );
  });

  it('boosts lower pages, so that others become candidates', async () => {
    const scope = newScope();
    await put(index(), scope, [
      ...Array.from({ length: 40 }, (_, n) => page(n, { tags: ['down'], texts: ['gopher gopher gopher'] })),
      page(99, { texts: [`one gopher among ${'many other words '.repeat(20)}`] }),
    ]);
    const lowered = { ...NO_BOOSTS, tagBoosts: [{ tag: 'down', boost: 0.1 }] };
    expect(urlsOf(await search(index(), scope, 'gopher', { boosts: lowered, limit: 2 }))).toContain(
      'https://example.org/99',
    );
  });

  it.each([
    [150, 5, 2, 95],
    [2, 0.5, 100, 130],
  ])('boosts put a page at rank %d by its text where %d times its score is', async (rank, boost, least, most) => {
    const scope = newScope();
    const filler = (n: number) => 'and much else that is said of it '.repeat(1 + n);
    const text = (n: number) => (n < 120 ? `the red gopher digs ${filler(n)}` : `a gopher ${filler(n - 100)}`);
    const pages = Array.from({ length: 220 }, (_, n) =>
      named(`${n}.html`, { title: 'A', texts: [text(n)], embedded: [embeddedAt(30 + ((n * 7) % 60))] }),
    );
    await put(index(), scope, pages);
    const ranked = async (urlBoosts: Boosts['urlBoosts'], shown: number) => {
      const settings = { siteId: scope.siteId, baseUrl: 'https://example.org/', tagBoosts: [], urlBoosts };
      const site = { settings, state: { generation: 1, languages: ['en'] } } as unknown as SiteRecord;
      const embedder = {
        space: 'test',
        dimensions: 384,
        embedTexts: async () => [],
        embedQuery: async () => queryVectorAt(0),
      };
      const request = { query: 'red gopher digs', offset: 0, limit: shown, minScore: 0 };
      return (await matchPages([{ site, filters: [] }], request, { index: index(), embedder })).pages;
    };
    const plain = await ranked([], 220);
    const { url = '', score = 0 } = plain[rank - 1] ?? {};
    const above = plain.filter((page) => page.url !== url && page.score > boost * score).length;
    expect(above).toBeGreaterThan(least);
    expect(above).toBeLessThan(most);
    const boosted = await ranked([{ urlPrefix: url, boost }], 220);
    expect(boosted.findIndex((page) => page.url === url)).toBe(above);
    expect(boosted[above]?.score).toBeCloseTo(boost * score, COSINE_DIGITS);
  });

  it('boosts obey the filters', async () => {
    const scope = newScope();
    await put(index(), scope, [
      named('in', { tags: ['x'], language: 'en', texts: ['gopher'] }),
      named('out', { tags: ['x'], language: 'de', texts: ['gopher'] }),
    ]);
    const found = await search(index(), scope, 'gopher', {
      boosts: { ...NO_BOOSTS, tagBoosts: [{ tag: 'x', boost: 2 }] },
      filters: [{ field: 'language', anyOf: ['en'] }],
    });
    expect(urlsOf(found)).toEqual(urls('in'));
  });
}

export function severalSites(index: Access): void {
  const both = (a: SearchScope, b: SearchScope, limit: number, vector?: Float32Array) =>
    index().candidates({
      scopes: [a, b],
      terms: queryTerms('gopher', ['en']),
      vector,
      requiredPhrases: [],
      excludedPhrases: [],
      limit,
    });

  it('several sites are searched together, each with its own statistics', async () => {
    const [a, b] = [newScope(), newScope(3)];
    await put(index(), a, [named('a', { title: 'A', texts: ['gopher', 'other'] })]);
    await put(index(), b, [named('b', { title: 'A', texts: ['gopher'] })]);
    const found = await both(a, b, 10);
    expect(found.pages.map(({ siteId, generation }) => `${siteId} ${generation}`).toSorted()).toEqual(
      [`${a.siteId} 1`, `${b.siteId} 3`].toSorted(),
    );
    expect([a, b].map(({ siteId }) => found.statistics.get(siteId)?.chunks)).toEqual([2, 1]);
  });

  it('several sites are searched with their own filters and boosts', async () => {
    const [a, b] = [newScope(), newScope()];
    const pages = [
      named('x', { title: 'A', tags: ['x'], texts: ['a gopher and other things'] }),
      named('y', { title: 'A', tags: ['y'], texts: ['gopher gopher gopher'] }),
    ];
    await put(index(), a, pages);
    await put(index(), b, pages);
    const tagged = (tag: string): Pick<SearchScope, 'filters'> => ({ filters: [{ field: 'tags', anyOf: [tag] }] });
    const filtered = await both({ ...a, ...tagged('x') }, { ...b, ...tagged('y') }, 10);
    expect(sitesAndUrls(filtered)).toEqual([`${a.siteId} x`, `${b.siteId} y`].toSorted());
    const boosted = { boosts: { ...NO_BOOSTS, tagBoosts: [{ tag: 'x', boost: 5 }] } };
    expect(sitesAndUrls(await both({ ...a, ...boosted }, { ...b, ...tagged('none') }, 1))).toContain(`${a.siteId} x`);
  });

  it('several sites answer the best pages of all of them, whichever site has them', async () => {
    const [a, b] = [newScope(), newScope()];
    const page = (n: number, text: string) => named(`${n}`, { title: 'A', texts: [text] });
    await put(
      index(),
      a,
      [1, 2, 3].map((n) => page(n, 'gopher gopher gopher')),
    );
    await put(
      index(),
      b,
      [4, 5, 6].map((n) => page(n, `one gopher among ${'many other words '.repeat(n)}`)),
    );
    const found = await both(a, b, 3);
    for (const n of [1, 2, 3]) expect(sitesAndUrls(found)).toContain(`${a.siteId} ${n}`);
  });
}

export function passages(index: Access): void {
  it('passages are the texts of chunks with their pages, in the order of the request; undefined for absent chunks', async () => {
    const scope = newScope();
    const [whole, bare] = await put(index(), scope, [
      {
        title: 'It\'s "A"',
        language: 'de',
        summary: 'About it',
        tags: ['x'],
        facts: ['s:a=b'],
        metadata: { a: 'b', deep: [{ ü: 1.5 }, null, true], text: '"👍'.repeat(8_000) },
        publishedAt: '2026-01-01T00:00:00.000Z',
        texts: ['first', 'Zürich 東京 👍\n\ttab'],
        sections: [[], [{ line: 1, heading: 'Über', anchor: 'a b' }]],
      },
      { texts: ['bare'] },
    ]);
    if (whole === undefined || bare === undefined) throw new Error('Nothing was put');
    const sections = [{ line: 1, heading: 'Über', anchor: 'a b' }];
    const ref = ({ urlHash }: IndexEntry, ord: number) => ({ ...scope, urlHash, ord });
    const found = await index().passages([
      ref(whole, 1),
      { ...ref(whole, 0), urlHash: randomUUID() },
      ref(whole, 2),
      { ...ref(whole, 0), generation: 9 },
      ref(bare, 0),
    ]);
    const { chunks: _, titleTerms: __, titleSpellings: ___, titleLength: ____, spellings: _____, ...page } = whole;
    expect(found.slice(0, 4)).toEqual([
      { ...page, ord: 1, headings: [], text: 'Zürich 東京 👍\n\ttab', sections },
      undefined,
      undefined,
      undefined,
    ]);
    expect(found[4]).not.toHaveProperty('summary');
    expect(found[4]).not.toHaveProperty('metadata');
    expect(await index().passages([])).toEqual([]);
  });
}
