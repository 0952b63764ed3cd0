import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSearchClient } from '../../lambdas/aws/opensearch/client.ts';
import { ensureIndex } from '../../lambdas/aws/opensearch/index/index-admin.ts';
import { opensearchPageIndex } from '../../lambdas/aws/opensearch/index/opensearch-page-index.ts';
import { indexName } from '../../lambdas/aws/opensearch/index-name.ts';
import type { Embedder } from '../../lambdas/domain/ports/embedder.ts';
import type { PageIndex, SiteScope } from '../../lambdas/domain/ports/page-index.ts';
import type { Hit } from '../../lambdas/domain/search/find-pages.ts';
import { matchPages } from '../../lambdas/domain/search/match-pages.ts';
import type { SiteRecord } from '../../lambdas/domain/sites/site.ts';
import { BUILTIN_DIMENSIONS } from '../../lambdas/text/words/builtin-vector.ts';
import { pageIndex as sqlite } from '../../local/sqlite/page-index.ts';
import { embeddedAt, indexEntry, newScope, queryVectorAt } from '../support/index-entries.ts';
import { openLocalStore } from '../support/local-store.ts';

const { OPENSEARCH_URL: url = '' } = process.env;

const PAGES = 250;
const scope = newScope();
const siteOf = ({ siteId, generation }: SiteScope): SiteRecord =>
  ({
    settings: { siteId, baseUrl: 'https://example.org/', tagBoosts: [], urlBoosts: [] },
    state: { generation, languages: ['en'] },
  }) as unknown as SiteRecord;
const site = siteOf(scope);
const embedder: Embedder = {
  space: 'test',
  dimensions: BUILTIN_DIMENSIONS,
  embedTexts: async () => [],
  embedQuery: async () => queryVectorAt(0),
};

/** Pages of one to four chunks, whose words, titles and vectors differ, so that no two have the same score. */
const entries = Array.from({ length: PAGES }, (_, n) => {
  const texts = Array.from({ length: 1 + (n % 4) }, (_, ord) =>
    [
      'The tide '.repeat(1 + ((n + ord) % 7)),
      n < 60 ? 'and a lantern. ' : '',
      'Much else is said here. '.repeat(1 + ((n * 7 + ord) % 23)),
    ].join(''),
  );
  return indexEntry(scope, {
    urlHash: `${n}`,
    url: `https://example.org/${String(n).padStart(3, '0')}`,
    texts,
    title: n % 5 === 0 ? `Tide ${n}` : `Notes ${n}`,
    embedded: texts.map((_, ord) => embeddedAt(20 + ((n * 13 + ord * 29) % 120))),
  });
});

function pagedSearch(): void {
  const client = openSearchClient(url);
  const space = { space: `paged-${randomUUID()}`, dimensions: BUILTIN_DIMENSIONS };
  const opensearch = opensearchPageIndex(client, space);
  let close: () => Promise<void>;
  beforeAll(async () => {
    close = await openLocalStore();
    await ensureIndex(client, space, { shards: 3, replicas: 0 });
    for (const index of [sqlite, opensearch]) await index.put(entries, { visible: 'now' });
  });
  afterAll(async () => {
    await client.send({ method: 'DELETE', path: `/${indexName(space)}-0` });
    client.close();
    await close();
  });

  const search = async (index: PageIndex, query: string, offset: number, limit: number) => {
    const request = { query, offset, limit, minScore: 0 };
    const { pages, others } = await matchPages([{ site, filters: [] }], request, { index, embedder });
    return { shown: pages.slice(offset, offset + limit), total: pages.length + others };
  };

  it.each([1, 7, 30, 100])('shows the same pages in the same order in steps of %i as at once', async (limit) => {
    const all = (await search(opensearch, 'tide', 0, 100)).shown.map((page) => page.url);
    const walked: string[] = [];
    for (let offset = 0; offset < (limit === 1 ? 12 : 100); offset += limit)
      walked.push(...(await search(opensearch, 'tide', offset, limit)).shown.map((page) => page.url));
    expect(walked.slice(0, 100)).toEqual(all.slice(0, walked.length));
    expect(new Set(all).size).toBe(100);
  });

  it('shows each of all pages once beyond the first hundred, by falling scores', async () => {
    const walked: Hit[] = [];
    for (let offset = 0; offset < PAGES; offset += 50)
      walked.push(...(await search(opensearch, 'tide', offset, 50)).shown);
    expect(walked).toHaveLength(PAGES);
    expect(new Set(walked.map((page) => page.url)).size).toBe(PAGES);
    const scores = walked.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it('counts as many pages as there are, up to 100', async () => {
    const chosen = { query: '"lantern"', offset: 0, limit: 10, minScore: 0 };
    const found = await matchPages([{ site, filters: [] }], chosen, { index: opensearch, embedder });
    expect(found.pages.length + found.others).toBe(60);
    expect((await search(opensearch, 'tide', 0, 10)).total).toBeGreaterThan(100);
  });

  it('counts all pages of a group of which one site has most', async () => {
    const others = Array.from({ length: 30 }, () => siteOf(newScope()));
    const group = [site, ...others].map((each) => ({ site: each, filters: [] }));
    const request = { query: '"lantern"', offset: 0, limit: 10, minScore: 0 };
    const found = await matchPages(group, request, { index: opensearch, embedder });
    expect(found.pages.length + found.others).toBe(60);
  });

  it.each(['tide', 'lantern tide', 'else said'])('finds the pages of SQLite in their order: %s', async (query) => {
    const [expected, found] = [await search(sqlite, query, 0, 20), await search(opensearch, query, 0, 20)];
    expect(found.shown.map(({ score }) => score.toFixed(2))).toEqual(
      expected.shown.map(({ score }) => score.toFixed(2)),
    );
    expect(found.shown.map((page) => page.url)).toEqual(expected.shown.map((page) => page.url));
  });
}

if (url === '') it.skip('paged searches on OpenSearch: skipped, because OPENSEARCH_URL is not set', () => undefined);
else describe('A search on OpenSearch', pagedSearch);
