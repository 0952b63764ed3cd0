import { beforeAll, describe, expect, it } from '@jest/globals';
import { checkHealth } from '../../../../lambdas/domain/insight/health/check-health.ts';
import { siteHealth } from '../../../../lambdas/domain/insight/health/health.ts';
import type { Embedder } from '../../../../lambdas/domain/ports/embedder.ts';
import { embedder as builtin, crawlHere, newSite } from '../../../support/crawl-here.ts';
import { pageIndex, pageStore, table } from '../../../support/memory/stores.ts';
import { type MemorySite, memorySite } from '../../../support/memory/web.ts';
import { htmlPage } from '../../../support/web-site.ts';

const PATHS = Array.from({ length: 11 }, (_, index) => `/page-${index}`);

describe('the self-check of a search', () => {
  let web: MemorySite;

  beforeAll(async () => {
    const pages = PATHS.map((path) => [path, htmlPage(`Page ${path}`, `Something about ${path} alone.`)] as const);
    web = memorySite({ '/': htmlPage('Start', 'Where all begins.', PATHS), ...Object.fromEntries(pages) });
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
    await checkHealth(job, { table, pageStore, index: pageIndex, embedder: counting, clock: Date.now });
    const health = await siteHealth(site.siteId, site, table);
    return { searched: 'selfCheck' in health ? health.selfCheck.byTitle.searched : 0, queries };
  }

  it('searches all pages of a small site with the built-in embedder', async () => {
    expect(await checkedWith(builtin)).toMatchObject({ searched: PATHS.length + 1 });
  });

  it('asks a provider, whose calls cost money, for ten queries at most', async () => {
    const { isFree: _, ...paid } = builtin;
    const { searched, queries } = await checkedWith(paid);
    expect(searched).toBe(5);
    expect(queries).toBeGreaterThan(0);
    expect(queries).toBeLessThanOrEqual(10);
  });
});
