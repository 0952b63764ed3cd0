import { beforeAll, describe, expect, it } from '@jest/globals';
import { registeredPages } from '../../../../lambdas/domain/pages/page-registry.ts';
import { deletePages } from '../../../../lambdas/domain/pages/removal/delete-pages.ts';
import { purgeSite } from '../../../../lambdas/domain/pages/removal/purge-site.ts';
import type { Table } from '../../../../lambdas/domain/ports/table.ts';
import { readSite } from '../../../../lambdas/domain/sites/site.ts';
import { siteStatus } from '../../../../lambdas/domain/sites/site-status.ts';
import { crawlHere, newSite } from '../../../support/crawl-here.ts';
import { pageIndex, pageStore, queue, table } from '../../../support/memory/stores.ts';
import { type MemorySite, memorySite } from '../../../support/memory/web.ts';
import { htmlPage } from '../../../support/web-site.ts';

const PATHS = Array.from({ length: 40 }, (_, i) => `/page-${i}`);
type OwnedSite = Awaited<ReturnType<typeof newSite>>;

/** The table, which does something else before every `n`-th transaction. */
const interrupted = (n: number, act: () => Promise<unknown>): Table => {
  let writes = 0;
  return {
    ...table,
    async write(changes) {
      if (++writes % n === 0) await act();
      return table.write(changes);
    },
  };
};

describe('while a crawl runs', () => {
  let web: MemorySite;
  const deps = { table, pageStore, pageIndex, queue, clock: Date.now };

  beforeAll(async () => {
    web = memorySite({
      '/': htmlPage('Home', 'All pages.', PATHS),
      ...Object.fromEntries(PATHS.map((path) => [path, htmlPage(`About ${path}`, `The text of ${path}.`)])),
    });
  });

  /** The state, after checking that count, rows and index agree. */
  async function settled({ siteId }: OwnedSite) {
    const { state } = (await readSite(siteId, table)) ?? {};
    if (!state) throw new Error('no such site');
    const rows = (await registeredPages(siteId, state.generation, { limit: 1000 }, table)).items;
    const scope = { siteId, generation: state.generation };
    const entries = (await pageIndex.find(scope, { text: '', limit: 1000 })).items;
    expect(entries.map(({ url }) => url)).toEqual(rows.map(({ url }) => url));
    expect(rows.filter(({ pending }) => pending)).toEqual([]);
    expect(state.pageCount).toBe(rows.length);
    return state;
  }

  it('deletes during a crawl are counted exactly, and the next crawl indexes the pages again', async () => {
    const site = await newSite(web.origin);
    let deleted = 0;
    const store = interrupted(3, async () => {
      deleted += (await deletePages({ siteId: site.siteId, patterns: ['/page-*'] }, site, deps)).deletedPages;
    });
    const { job } = await crawlHere(site, { table: store });
    expect(job).toMatchObject({ status: 'completed' });
    expect(deleted).toBeGreaterThan(0);
    const { pageCount } = await settled(site);
    expect(pageCount).toBeLessThan(PATHS.length);
    await deletePages({ siteId: site.siteId, patterns: [`${web.origin}/*`] }, site, deps);
    const emptied = await settled(site);
    expect([emptied.pageCount, siteStatus(emptied)]).toEqual([0, 'pending']);
    expect((await crawlHere(site)).job).toMatchObject({ status: 'completed', indexed: PATHS.length + 1 });
    expect(await settled(site)).toMatchObject({ pageCount: PATHS.length + 1 });
  });

  it('a page that is deleted before it is visited is indexed again at the next attempt', async () => {
    const site = await newSite(web.origin);
    await crawlHere(site);
    const deletePage = async (path: string) =>
      (await deletePages({ siteId: site.siteId, urls: [web.origin + path] }, site, deps)).deletedPages;
    expect(await deletePage('/')).toBe(1);
    let deleted = 0;
    let refusedWrites = 0;
    const store: Table = {
      ...table,
      // The crawl reserves revisions in blocks. The removal that comes next has a higher one.
      async update(key, changes) {
        const item = await table.update<never>(key, changes);
        if (deleted === 0 && changes.add?.revision) deleted = await deletePage('/page-39');
        return item;
      },
      async write(changes) {
        const refused = await table.write(changes);
        if (refused.length > 0) refusedWrites++;
        return refused;
      },
    };
    const { job } = await crawlHere(site, { table: store });
    expect([job.status, deleted]).toEqual(['completed', 1]);
    expect(refusedWrites).toBeLessThanOrEqual(2);
    expect(await settled(site)).toMatchObject({ pageCount: PATHS.length + 1 });
  });

  it('a purge cancels a crawl, which then writes nothing into the new generation', async () => {
    const site = await newSite(web.origin);
    let purge: Promise<number> | undefined;
    const store = interrupted(4, async () => {
      purge ??= purgeSite(site.siteId, site, deps);
      await purge;
    });
    const { job } = await crawlHere(site, { table: store });
    expect(job).toMatchObject({ status: 'cancelled', endReason: 'cancelled' });
    expect(await purge).toEqual(expect.any(Number));
    const state = await settled(site);
    expect(state).toMatchObject({ generation: 2, pageCount: 0, runningJobId: null });
    expect(siteStatus(state)).toBe('pending');
    expect((await crawlHere(site)).job).toMatchObject({ status: 'completed', indexed: PATHS.length + 1 });
    expect(await settled(site)).toMatchObject({ pageCount: PATHS.length + 1 });
  });
});
