import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pageStore } from '#adapters/page-store';
import { index } from '#adapters/search-index';
import { table } from '#adapters/table';
import { builtinEmbedder } from '../../../../lambdas/connectors/embedder/builtin.ts';
import { checkHealth } from '../../../../lambdas/domain/insight/health/check-health.ts';
import { siteHealth } from '../../../../lambdas/domain/insight/health/health.ts';
import type { Embedder } from '../../../../lambdas/domain/ports/embedder.ts';
import { crawlHere, newSite } from '../../../support/crawl-here.ts';
import { openLocalStore } from '../../../support/local-store.ts';
import { htmlPage, type WebSite, webSite } from '../../../support/web-site.ts';

const PATHS = Array.from({ length: 11 }, (_, index) => `/page-${index}`);

describe('the self-check of a search', () => {
  let close: () => Promise<void>;
  let web: WebSite;

  beforeAll(async () => {
    close = await openLocalStore();
    const pages = PATHS.map((path) => [path, htmlPage(`Page ${path}`, `Something about ${path} alone.`)] as const);
    web = await webSite({ '/': htmlPage('Start', 'Where all begins.', PATHS), ...Object.fromEntries(pages) });
  });
  afterAll(async () => {
    await close();
    await web.close();
  });

  /** Answers how many pages were searched by their titles, and how many queries were embedded. */
  async function checkedWith(embedder: Embedder) {
    let queries = 0;
    const counting: Embedder = {
      ...embedder,
      embedQuery(...call) {
        queries++;
        return embedder.embedQuery(...call);
      },
    };
    const site = await newSite(web.origin);
    const { job } = await crawlHere(site);
    await checkHealth(job, { table, pageStore, index, embedder: counting, clock: Date.now });
    const health = await siteHealth(site.siteId, site, table);
    return { searched: 'selfCheck' in health ? health.selfCheck.byTitle.searched : 0, queries };
  }

  it('searches all pages of a small site with the built-in embedder', async () => {
    expect(await checkedWith(builtinEmbedder())).toMatchObject({ searched: PATHS.length + 1 });
  });

  it('asks a provider, whose calls cost money, for ten queries at most', async () => {
    const { isFree: _, ...paid } = builtinEmbedder();
    const { searched, queries } = await checkedWith(paid);
    expect(searched).toBe(5);
    expect(queries).toBeGreaterThan(0);
    expect(queries).toBeLessThanOrEqual(10);
  });
});
