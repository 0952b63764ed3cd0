import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '../../../lambdas/domain/errors.ts';
import { finishWrites } from '../../../lambdas/domain/pages/finish-writes.ts';
import type { IngestDeps } from '../../../lambdas/domain/pages/ingest/ingest-pages.ts';
import { listPages } from '../../../lambdas/domain/pages/list-pages.ts';
import {
  abandonedBefore,
  hasPendingWrites,
  PENDING_WRITES,
  type PendingWrite,
} from '../../../lambdas/domain/pages/pending-writes.ts';
import { deletePages } from '../../../lambdas/domain/pages/removal/delete-pages.ts';
import { purgeSite } from '../../../lambdas/domain/pages/removal/purge-site.ts';
import { pageAddress } from '../../../lambdas/domain/pages/stored-page.ts';
import { stateKey } from '../../../lambdas/domain/sites/site.ts';
import { IngestSite, textPage } from '../../support/ingest-site.ts';
import { pageIndex, pageStore, table } from '../../support/memory/stores.ts';

const PAGES = ['/anchor', '/bell', '/compass'].map((path) => textPage(path, `The ${path.slice(1)} of the ship.`));
const LATER_MS = 121_000;

describe('a write of pages whose writer has died', () => {
  let site: IngestSite;
  let now: number;
  const clock = () => now;
  const away = async (): Promise<never> => {
    throw new UnavailableError('the index is unavailable');
  };
  const broken = { ...pageIndex, put: away, remove: away };

  beforeEach(async () => {
    now = Date.now();
    site = await IngestSite.open(clock);
  });

  const watch = (over: Partial<IngestDeps> = {}) => finishWrites(abandonedBefore(clock), site.deps(over));
  const ingestInPart = (pages = PAGES) =>
    expect(site.ingest(pages, { pageIndex: broken })).rejects.toThrow(UnavailableError);
  const deleteInPart = (urls: readonly string[]) =>
    expect(
      deletePages({ siteId: site.siteId, urls }, site, { table, pageStore, pageIndex: broken, clock }),
    ).rejects.toThrow(UnavailableError);
  const listed = async () => {
    const { items } = await listPages(await site.record(), { limit: 10 }, { table, pageIndex });
    return items.map(({ url }) => new URL(url).pathname);
  };
  const pendingWrites = async () => {
    const { items } = await table.query<PendingWrite>(PENDING_WRITES, { prefix: `SITE#${site.siteId}`, limit: 10 });
    return items;
  };

  it('a write whose writer has died is finished after two minutes', async () => {
    await ingestInPart();
    expect(await site.rows()).toMatchObject(PAGES.map(() => ({ pending: true })));
    expect(await site.indexed()).toEqual({});
    expect(await hasPendingWrites(abandonedBefore(clock), { table, clock })).toBe(false);
    await watch();
    expect(await pendingWrites()).toHaveLength(1);
    now += LATER_MS;
    expect(await hasPendingWrites(abandonedBefore(clock), { table, clock })).toBe(true);
    await watch();
    expect(await site.settled()).toHaveLength(PAGES.length);
    expect(await pendingWrites()).toEqual([]);
  });

  it('a removal whose writer has died is finished, and until then its pages are not listed', async () => {
    await site.ingest(PAGES);
    const [anchor] = await site.rows();
    if (!anchor) throw new Error('no page');
    await deleteInPart(['/anchor']);
    expect(await listed()).toEqual(['/bell', '/compass']);
    expect((await site.record()).state.pageCount).toBe(PAGES.length);
    now += LATER_MS;
    await watch();
    expect(await site.settled()).toHaveLength(2);
    expect(await pageStore.get([pageAddress({ siteId: site.siteId, generation: 1 }, anchor)])).toEqual([undefined]);
    expect(await pendingWrites()).toEqual([]);
  });

  it('a write needs no finish if its writer finished it, or another one replaced or deleted the pages', async () => {
    await site.ingest(PAGES);
    expect(await pendingWrites()).toEqual([]);
    await ingestInPart([textPage('/bell', 'A bell in part.'), textPage('/deck', 'A deck.')]);
    await site.one(textPage('/bell', 'Another bell.'));
    await deletePages({ siteId: site.siteId, urls: ['/deck'] }, site, { table, pageStore, pageIndex, clock });
    const rows = await site.settled();
    now += LATER_MS;
    await watch();
    expect(await site.settled()).toEqual(rows);
    expect(await pendingWrites()).toEqual([]);
  });

  it('a crawl finishes its own write, whose pages can be found before', async () => {
    await ingestInPart();
    const [write] = await pendingWrites();
    if (!write) throw new Error('no pending write');
    await table.putMany([{ ...write, jobId: 'job' }]);
    await table.update(stateKey(site.siteId), { set: { runningJobId: 'job' } });
    now += LATER_MS;
    await watch();
    expect(Object.keys(await site.indexed())).toHaveLength(PAGES.length);
    expect(await site.rows()).toMatchObject(PAGES.map(() => ({ pending: true })));
    await table.update(stateKey(site.siteId), { set: { runningJobId: null } });
    await watch();
    expect(await site.settled()).toHaveLength(PAGES.length);
  });

  it('a write is dropped when its site was purged', async () => {
    await ingestInPart();
    await purgeSite(site.siteId, site, { table, queue: site.deps().queue, clock });
    now += LATER_MS;
    await watch();
    expect(await site.settled()).toEqual([]);
    expect(await pendingWrites()).toEqual([]);
  });

  it('a write stays pending if its text is lost, since nothing can index it', async () => {
    await ingestInPart();
    const [row] = await site.rows();
    if (!row) throw new Error('no page');
    await pageStore.remove([pageAddress({ siteId: site.siteId, generation: 1 }, row)]);
    now += LATER_MS;
    await watch();
    expect((await site.rows()).map(({ pending = false }) => pending)).toEqual([true, false, false]);
    expect(Object.keys(await site.indexed())).toHaveLength(2);
  });

  it('a failed finish is tried again at the next run, and does not delay others', async () => {
    await ingestInPart(PAGES.slice(0, 1));
    await ingestInPart(PAGES.slice(1));
    now += LATER_MS;
    const reports: string[] = [];
    let puts = 0;
    const once: typeof pageIndex = {
      ...pageIndex,
      put: (entries, options) => (puts++ === 0 ? away() : pageIndex.put(entries, options)),
    };
    await watch({ pageIndex: once, report: (message) => void reports.push(message) });
    expect(reports).toHaveLength(1);
    expect(await pendingWrites()).toHaveLength(1);
    await watch();
    expect(await site.settled()).toHaveLength(PAGES.length);
  });
});
