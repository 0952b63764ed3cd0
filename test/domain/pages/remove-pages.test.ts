import { beforeEach, describe, expect, it } from '@jest/globals';
import { type RegisteredPage, removalKey } from '../../../lambdas/domain/pages/page-registry.ts';
import { reserveRevisions } from '../../../lambdas/domain/pages/page-writer.ts';
import { removePages } from '../../../lambdas/domain/pages/remove-pages.ts';
import { stateKey } from '../../../lambdas/domain/sites/site.ts';
import { IngestSite, textPage } from '../../support/ingest-site.ts';
import { pageIndex, pageStore, table } from '../../support/memory/stores.ts';

const PAGES = ['/anchor', '/bell', '/compass'].map((path) => textPage(path, `The ${path.slice(1)} of the ship.`));

describe('removing pages', () => {
  let site: IngestSite;
  const deps = { table, pageStore, pageIndex, clock: Date.now };

  beforeEach(async () => {
    site = await IngestSite.open();
    await site.ingest(PAGES);
  });

  const remove = (rows: readonly RegisteredPage[]) => {
    const scope = { siteId: site.siteId, generation: 1 };
    const reserve = (count: number) => reserveRevisions(scope, count, table);
    return removePages(rows, { site: scope, reserve, visible: 'now' }, deps);
  };

  it('removes row, text and index entry, lowers the count, and answers the chunks by page', async () => {
    const [anchor, bell, compass] = (await site.settled()) as [RegisteredPage, RegisteredPage, RegisteredPage];
    expect([...(await remove([anchor, compass]))]).toEqual([
      [anchor, { chunks: 1 }],
      [compass, { chunks: 1 }],
    ]);
    expect(await site.settled()).toEqual([bell]);
    const texts = [anchor, compass].map(({ urlHash, revision }) => ({
      siteId: site.siteId,
      generation: 1,
      urlHash,
      revision,
    }));
    expect(await pageStore.get(texts)).toEqual([undefined, undefined]);
  });

  it('answers a page once, whoever removes it', async () => {
    const rows = await site.settled();
    const answers = await Promise.all([remove(rows), remove(rows), remove(rows)]);
    const removed = answers.flatMap((answer) => [...answer.values()].filter((result) => typeof result === 'object'));
    expect(removed).toHaveLength(PAGES.length);
    expect(await site.settled()).toEqual([]);
    expect([...(await remove(rows)).values()]).toEqual(rows.map(() => 'overtaken'));
  });

  it('keeps a page that was written since its row was read', async () => {
    const rows = await site.settled();
    await site.one(textPage('/bell', 'Another bell.'));
    const results = await remove(rows);
    expect(rows.map((row) => results.get(row))).toEqual([{ chunks: 1 }, 'overtaken', { chunks: 1 }]);
    expect(await site.settled()).toMatchObject([{ url: 'https://www.example/bell' }]);
  });

  it('completes a removal that failed, or writes the page again', async () => {
    const away = { ...pageIndex, remove: () => Promise.reject(new Error('it fails')) };
    const rows = await site.settled();
    const scope = { siteId: site.siteId, generation: 1 };
    const reserve = (count: number) => reserveRevisions(scope, count, table);
    const remover = { site: scope, reserve, visible: 'now' } as const;
    await expect(removePages(rows, remover, { ...deps, pageIndex: away })).rejects.toThrow('it fails');
    const marked = await site.rows();
    expect(marked).toMatchObject(PAGES.map(() => ({ pending: true, removing: true })));
    expect(await site.one(PAGES[0])).toMatchObject({ status: 'success', isNew: false });
    const results = await remove(marked.slice(1));
    expect([...results.values()]).toEqual([{ chunks: 1 }, { chunks: 1 }]);
    const [anchor] = await site.settled();
    expect(anchor).toMatchObject({ url: 'https://www.example/anchor' });
    expect(anchor).not.toHaveProperty('removing');
  });

  it('leaves the pages of a site that was purged', async () => {
    const rows = await site.settled();
    await table.update(stateKey(site.siteId), { add: { generation: 1 }, set: { pageCount: 0 } });
    expect([...(await remove(rows)).values()]).toEqual(rows.map(() => 'revoked'));
    expect((await site.record()).state.pageCount).toBe(0);
  });

  it('overtakes the writer of a new page that reserved its revision before', async () => {
    const [anchor] = await site.settled();
    if (!anchor) throw new Error('no page');
    await remove([anchor]);
    const key = removalKey(site.siteId, 1, anchor);
    const { revision } = (await site.record()).state;
    await table.update(key, { set: { revision: revision + 3 } });
    await table.update(stateKey(site.siteId), { set: { lastRemoval: revision + 3 } });
    expect(await site.one(PAGES[0])).toMatchObject({ status: 'success', isNew: true });
    const again = (await site.settled()).find(({ url }) => url === anchor.url);
    expect(again?.revision).toBeGreaterThan(revision + 3);
  });
});
