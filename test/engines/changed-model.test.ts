import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { IndexRegistry } from '../../lambdas/domain/pages/reindexing/index-registry.ts';
import { listOf } from '../support/answer.ts';
import { EmbeddingsServer } from '../support/embeddings-server.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';
import { engineUrl } from './engine-url.ts';

const PAGES = 90;
const QUERY = 'where does the gopher dig';
/** Long enough for two pauses of a reindexing on a busy machine. */
const PATIENCE_MS = 120_000;
/** Delay of each provider answer: keeps the reindexing running while the test acts. */
const PROVIDER_DELAY_MS = 150;

const nameOf = (i: number) => `page-${i.toString(36)}-${(i * 7919) % 10_007}`;
const page = (i: number, more = '') =>
  htmlPage(
    nameOf(i),
    `The gopher of ${nameOf(i)} digs a burrow with the number ${i}. ${more}`,
    i === 0 ? Array.from({ length: PAGES - 1 }, (_, n) => `/${nameOf(n + 1)}`) : [],
  );

describe('A service whose embedding model is changed', () => {
  let provider: EmbeddingsServer;
  let site: WebSite;
  let service: LocalService;
  const faults: string[] = [];
  let searches = 0;

  beforeAll(async () => {
    provider = await EmbeddingsServer.start();
    site = await webSite(
      Object.fromEntries(Array.from({ length: PAGES }, (_, i) => [i === 0 ? '/' : `/${nameOf(i)}`, page(i)])),
    );
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
  }, PATIENCE_MS);
  afterAll(async () => {
    await service.end();
    await site.close();
    provider.close();
  });

  /** Read from the database, because no endpoint shows it. */
  function registry(): IndexRegistry {
    const file = new DatabaseSync(join(service.dataDir, 'site-search.sqlite'), { readOnly: true });
    try {
      return JSON.parse(String(file.prepare("SELECT value FROM item WHERE pk = 'SPACE'").get()?.value));
    } finally {
      file.close();
    }
  }

  const urlOf = (i: number) => `${site.origin}/${i === 0 ? '' : nameOf(i)}`;
  const crawl = async (siteId: string) => service.ended(await service.startCrawl(siteId), PATIENCE_MS);

  async function search(siteId: string, query: string) {
    const { status, body, headers } = await service.visit(
      `/public/sites/${siteId}/search?limit=50&q=${encodeURIComponent(query)}`,
    );
    return { status, isDegraded: headers.has('x-search-degraded'), urls: status === 200 ? listOf(body.results) : [] };
  }

  async function searchContinuously(siteId: string, until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      const { status, isDegraded, urls } = await search(siteId, QUERY);
      if (status !== 200 || isDegraded || urls.length === 0)
        faults.push(`${status} ${isDegraded} ${urls.length} in ${JSON.stringify(registry())}`);
      searches++;
    }
  }

  async function countIn(index: string, siteId: string): Promise<number> {
    const url = `${engineUrl('opensearch')}/${index}`;
    await fetch(`${url}/_refresh`, { method: 'POST' });
    const vectors = { nested: { path: 'chunks', query: { exists: { field: 'chunks.vector' } } } };
    const response = await fetch(`${url}/_count`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: { bool: { filter: [{ term: { siteId } }, vectors] } } }),
    });
    return Number(((await response.json()) as { readonly count: number }).count);
  }

  it(
    'searches the old index until the new one is complete; no page is lost and no deleted page returns',
    async () => {
      const [kept, doomed] = [await service.createSite(site.origin), await service.createSite(site.origin)];
      for (const siteId of [kept, doomed])
        expect(await crawl(siteId)).toMatchObject({ status: 'completed', pagesProcessed: PAGES });
      const { searched: old } = registry();

      await service.kill('SIGTERM');
      provider.pauseMs = PROVIDER_DELAY_MS;
      await service.restart(provider.env);
      const done = new AbortController();
      const searching = searchContinuously(kept, done.signal);
      expect(registry()).toMatchObject({ searched: old, step: 'backfill' });

      await eventually(async () => registry().after !== undefined || provider.asked.length > 50);
      site.pages.set(`/${nameOf(7)}`, page(7, 'It has moved to the riverbank.'));
      site.pages.set('/', page(0).replace('</ul>', '<li><a href="/late">late</a></li></ul>'));
      site.pages.set('/late', htmlPage('late', 'The gopher that came late digs as well.'));
      await service.api('DELETE', `/sites/${doomed}`);
      expect(await crawl(kept)).toMatchObject({ status: 'completed', pagesProcessed: PAGES + 1 });
      expect((await search(kept, 'riverbank')).urls[0]).toMatchObject({ url: urlOf(7) });
      provider.pauseMs = 0;

      await eventually(async () => registry().step === undefined, PATIENCE_MS);
      const { searched: next } = registry();
      const before = searches;
      await eventually(async () => searches > before + 3);
      done.abort();
      await searching;

      expect(faults).toEqual([]);
      expect(searches).toBeGreaterThan(50);
      expect(next.space).not.toBe(old.space);
      expect((await fetch(`${engineUrl('opensearch')}/${old.index}`)).status).toBe(404);
      expect([await countIn(next.index, kept), await countIn(next.index, doomed)]).toEqual([PAGES + 1, 0]);
      expect(provider.asked).toContain(QUERY);
      for (const i of [7, 50, PAGES - 1])
        expect((await search(kept, nameOf(i))).urls[0]).toMatchObject({ url: urlOf(i) });
      expect((await search(kept, 'riverbank')).urls[0]).toMatchObject({ url: urlOf(7) });
    },
    2 * PATIENCE_MS,
  );

  it(
    'continues a reindexing after a crash, and can return to the old model',
    async () => {
      const { body } = await service.api('GET', '/sites');
      const [siteId = ''] = listOf(body.sites ?? body).map((one) => String(one.siteId));
      await service.kill('SIGKILL');
      await service.restart({ OPENAI_BASE_URL: '' });
      const { searched } = registry();
      await service.kill('SIGKILL');
      await service.restart();
      expect((await search(siteId, QUERY)).urls.length).toBeGreaterThan(0);
      await eventually(async () => registry().step === undefined, PATIENCE_MS);
      expect(registry().searched.space).not.toBe(searched.space);
      expect(await countIn(registry().searched.index, siteId)).toBe(PAGES + 1);
      const { status, isDegraded, urls } = await search(siteId, QUERY);
      expect({ status, isDegraded, found: urls.length > 0 }).toEqual({ status: 200, isDegraded: false, found: true });
    },
    2 * PATIENCE_MS,
  );
});
