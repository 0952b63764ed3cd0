import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listOf } from '../support/answer.ts';
import { EmbeddingsServer } from '../support/embeddings-server.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const PAGES = 30;
/** A query whose words are on no page: only vectors match it. This test's provider gives every text the same vector. */
const UNKNOWN = 'zqxjkvbnm';

/** Enough for a busy machine: the service starts three times. */
const PATIENCE_MS = 60_000;

describe('npm start with another embedding model than before', () => {
  let provider: EmbeddingsServer;
  let site: WebSite;
  let service: LocalService;

  beforeAll(async () => {
    provider = await EmbeddingsServer.start();
    const links = Array.from({ length: PAGES - 1 }, (_, n) => `/${n + 1}`);
    const page = (n: number) => htmlPage(`Burrow ${n}`, `Gopher number ${n} digs here.`, n === 0 ? links : []);
    site = await webSite(Object.fromEntries(['/', ...links].map((path, n) => [path, page(n)])));
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
  });
  afterAll(async () => {
    await service.end();
    await site.close();
    provider.close();
  });

  it(
    'embeds all unchanged pages again, and requests each text once',
    async () => {
      const siteId = await service.createSite(site.origin);
      expect(await service.ended(await service.startCrawl(siteId))).toMatchObject({ pagesProcessed: PAGES });
      const found = async (query: string) =>
        listOf((await service.visit(`/public/sites/${siteId}/search?limit=50&q=${query}`)).body.results).length;
      expect(await found(UNKNOWN)).toBe(0);

      await service.kill('SIGTERM');
      await service.restart(provider.env);
      expect(await found('gopher')).toBeGreaterThan(0);
      await eventually(async () => (await found(UNKNOWN)) === PAGES, PATIENCE_MS / 2);

      const asked = provider.asked.filter((text) => text.includes('digs here'));
      expect(asked).toHaveLength(PAGES);
      await service.kill('SIGTERM');
      await service.restart();
      expect(await found(UNKNOWN)).toBe(PAGES);
      expect(provider.asked.filter((text) => text.includes('digs here'))).toHaveLength(PAGES);
    },
    PATIENCE_MS,
  );
});
