import { beforeEach, describe, expect, it } from '@jest/globals';
import { builtinEmbedder } from '../../../lambdas/connectors/embedder/builtin.ts';
import { compareSite, type PageFault } from '../../../lambdas/domain/pages/compare-site.ts';
import { indexEntries } from '../../../lambdas/domain/pages/index-entry.ts';
import { pageKey, type RegisteredPage } from '../../../lambdas/domain/pages/page-registry.ts';
import { pendingItem } from '../../../lambdas/domain/pages/pending-writes.ts';
import { repairCount, repairSite } from '../../../lambdas/domain/pages/repair-site.ts';
import { pageAddress } from '../../../lambdas/domain/pages/stored-page.ts';
import { stateKey } from '../../../lambdas/domain/sites/site.ts';
import { IngestSite, textPage } from '../../support/ingest-site.ts';
import { pageIndex, pageStore, table } from '../../support/memory/stores.ts';

const PATHS = ['/anchor', '/bell', '/compass', '/deck', '/engine', '/flag'];
const EACH = { visible: 'now' } as const;

describe('the places of a page', () => {
  let site: IngestSite;
  let scope: { readonly siteId: string; readonly generation: number };
  const stores = { table, pageStore, pageIndex };
  const deps = { ...stores, embedder: builtinEmbedder(), clock: Date.now };

  beforeEach(async () => {
    site = await IngestSite.open();
    scope = { siteId: site.siteId, generation: 1 };
    await site.ingest(PATHS.map((path) => textPage(path, `All about ${path}.`)));
  });

  const compared = async () => {
    const found = await compareSite(site.siteId, stores);
    if (!found) throw new Error('no such site');
    return found;
  };
  const repaired = async () => {
    await repairSite(await compared(), deps);
    await repairCount(await compared(), deps);
    return compared();
  };
  const row = async (path: string): Promise<RegisteredPage> => {
    const found = (await site.rows()).find(({ url }) => url.endsWith(path));
    if (!found) throw new Error(`no ${path}`);
    return found;
  };
  const faults = (found: Awaited<ReturnType<typeof compared>>): Readonly<Record<string, PageFault>> =>
    Object.fromEntries(found.faulty.map(({ url, fault }) => [new URL(url).pathname, fault]));

  it('the stores of a page agree after an ingest', async () => {
    const whole = { pages: 6, texts: 6, entries: 6, pageCount: 6, faulty: [], isBusy: false };
    expect(await compared()).toMatchObject(whole);
    expect(await compareSite('no-site', stores)).toBeUndefined();
  });

  it('the stores of a page are compared page by page, and repaired except for a lost text', async () => {
    const [anchor, bell, compass, deck] = await Promise.all(PATHS.slice(0, 4).map(row));
    if (!anchor || !bell || !compass || !deck) throw new Error('no pages');
    await pageIndex.remove([{ ...scope, urlHash: anchor.urlHash, revision: anchor.revision }], EACH);
    await pageStore.remove([pageAddress(scope, bell)]);
    await table.removeMany([pageKey(site.siteId, 1, compass)]);
    await table.update(pageKey(site.siteId, 1, deck), { set: { pending: true } });
    const found = await compared();
    expect(faults(found)).toEqual({
      '/anchor': 'notIndexed',
      '/bell': 'textMissing',
      '/compass': 'notRegistered',
      '/deck': 'pending',
    });
    expect(found).toMatchObject({ pages: 5, texts: 4, entries: 5, pageCount: 6 });
    const after = await repaired();
    expect(faults(after)).toEqual({ '/bell': 'textMissing' });
    expect(after).toMatchObject({ pages: 5, entries: 5, pageCount: 5 });
    await site.ingest([textPage('/bell', 'All about the bell, once more.')]);
    expect((await compared()).faulty).toEqual([]);
    await site.settled();
  });

  it('the stores of a page are repaired if the index is behind or ahead of the registry', async () => {
    const [engine, flag] = await Promise.all(['/engine', '/flag'].map(row));
    if (!engine || !flag) throw new Error('no pages');
    const put = async (page: RegisteredPage, revision: number) => {
      const [content] = await pageStore.get([pageAddress(scope, page)]);
      if (!content) throw new Error('no text');
      const other = { ...content, blocks: [{ kind: 'text', text: 'Something else.' }] as const };
      const [entry] = await indexEntries([{ ...scope, row: { ...page, revision }, content: other }], deps.embedder);
      if (entry) await pageIndex.put([entry], EACH);
    };
    await put(flag, flag.revision + 1000);
    await table.update(pageKey(site.siteId, 1, engine), { set: { title: engine.title } });
    expect(faults(await compared())).toEqual({ '/flag': 'outdated' });
    expect((await repaired()).faulty).toEqual([]);
    await site.settled();
  });

  it('the stores of a page agree while a running crawl has yet to settle a written page', async () => {
    const { revision, url } = await row('/deck');
    await table.update(pageKey(site.siteId, 1, await row('/deck')), { set: { pending: true } });
    const batch = { site: scope, firstRevision: revision, jobId: 'running' };
    await table.putMany([pendingItem(batch, [{ row: { url, revision } }], Date.now)]);
    expect(faults(await compared())).toEqual({ '/deck': 'pending' });
    await table.update(stateKey(site.siteId), { set: { runningJobId: 'running' } });
    expect((await compared()).faulty).toEqual([]);
  });

  it('the count of pages is corrected', async () => {
    await table.update(stateKey(site.siteId), { add: { pageCount: 3 } });
    expect(await compared()).toMatchObject({ pages: 6, pageCount: 9, faulty: [] });
    expect(await repaired()).toMatchObject({ pages: 6, pageCount: 6 });
  });
});
