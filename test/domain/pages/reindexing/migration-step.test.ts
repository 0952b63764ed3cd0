import { beforeEach, describe, expect, it } from '@jest/globals';
import { pageKey } from '../../../../lambdas/domain/pages/page-registry.ts';
import { retryMigration } from '../../../../lambdas/domain/pages/reindexing/retry-migration.ts';
import { cleanUpSite } from '../../../../lambdas/domain/pages/removal/clean-up.ts';
import { deleteSite } from '../../../../lambdas/domain/pages/removal/delete-site.ts';
import type { Table } from '../../../../lambdas/domain/ports/table.ts';
import { IndexMigration, kindOf, textsIn } from '../../../support/index-migration.ts';
import { IngestSite, textPage } from '../../../support/ingest-site.ts';

const [OLD, NEW] = [kindOf(1), kindOf(2)];
/** More than the backfill puts at once. */
const PAGES = 25;

let migration: IndexMigration;
let sites: readonly [IngestSite, IngestSite];
beforeEach(async () => {
  migration = new IndexMigration();
  await migration.ensure(OLD);
  await migration.finish();
  sites = [
    await IngestSite.open(migration.clock, migration.stores),
    await IngestSite.open(migration.clock, migration.stores),
  ];
  const pages = Array.from({ length: PAGES }, (_, n) => textPage(`p${n}`, `Text ${n}.`));
  await sites[0].ingest(pages, migration.configured(OLD));
  await sites[1].ingest(pages.slice(0, 3), migration.configured(OLD));
});

const texts = (vector: number, from: number, to: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: to - from }, (_, n) => [`/docs/p${from + n}`, `Text ${from + n}. (${vector})`]),
  );

/** The searched index holds exactly the registered pages, with vectors of its space, and there is no other index. */
async function expectMigrated(expected: readonly Readonly<Record<string, string>>[]): Promise<void> {
  const { searched, secondary, step, retired } = await migration.registry();
  expect({ space: searched.space, secondary, step, retired }).toEqual({ space: NEW.space, retired: [] });
  expect([...migration.indices.keys()]).toEqual([searched.index]);
  const index = await migration.searched();
  expect(sites.map(({ siteId }) => textsIn(index, siteId))).toEqual(expected);
}

/** A table whose nth call throws, before it is carried out or afterwards. */
function breakingTable(nth: number): { readonly table: Table; readonly hasBroken: () => boolean } {
  let left = nth;
  const breaking =
    (target: Table, name: keyof Table) =>
    async (...args: readonly unknown[]) => {
      left--;
      if (left === 0 && nth % 2 === 0) throw new Error('it fails before');
      const answer = await (target[name] as (...all: readonly unknown[]) => Promise<unknown>)(...args);
      if (left === 0) throw new Error('it fails afterwards');
      return answer;
    };
  return { table: new Proxy(migration.stores.table, { get: breaking }), hasBroken: () => left <= 0 };
}

describe('A migration to another model', () => {
  it('starts with the old index searched and both written, and ends with the new one alone', async () => {
    await migration.ensure(NEW);
    expect(await migration.registry()).toMatchObject({ searched: OLD, secondary: NEW, step: 'backfill' });
    await sites[1].ingest([textPage('p3', 'Text 3.')], migration.configured(NEW));
    const [old, next] = [...migration.indices.values()];
    expect(old && textsIn(old, sites[1].siteId)).toEqual(texts(1, 0, 4));
    expect(next && textsIn(next, sites[1].siteId)).toEqual(texts(2, 3, 4));
    await migration.finish();
    await expectMigrated([texts(2, 0, PAGES), texts(2, 0, 4)]);
  });

  it('continues after a failure at any call of the table', async () => {
    let [from, to] = [OLD, NEW];
    let at = 1;
    for (let hasBroken = true; hasBroken; at += 3) {
      const breaking = breakingTable(at);
      await migration.ensure(to);
      await migration.finish({ table: breaking.table });
      migration.now += 3_600_000;
      await retryMigration({ ...migration.stores, clock: migration.clock }); // the message may have been lost with the worker
      await migration.finish();
      const vector = to === NEW ? 2 : 1;
      const index = await migration.searched();
      expect(sites.map(({ siteId }) => textsIn(index, siteId))).toEqual([texts(vector, 0, PAGES), texts(vector, 0, 3)]);
      expect(migration.indices.size).toBe(1);
      expect((await migration.registry()).searched.space).toBe(to.space);
      hasBroken = breaking.hasBroken();
      [from, to] = [to, from];
    }
    expect(at).toBeGreaterThan(20);
  });

  it('takes the newer text of a page that is written while its old text is read', async () => {
    await migration.ensure(NEW);
    const writer = migration.configured(NEW);
    migration.whenEmbedding.set(NEW.space, () => sites[0].ingest([textPage('p0', 'Newer text.')], writer));
    await migration.finish();
    await expectMigrated([{ ...texts(2, 1, PAGES), '/docs/p0': 'Newer text. (2)' }, texts(2, 0, 3)]);
  });

  it('has a page whose text, but not its index entry, gets another revision while it is read', async () => {
    await migration.ensure(NEW);
    const [row] = await sites[0].rows();
    if (!row) throw new Error('no page');
    const { siteId } = sites[0];
    const address = { siteId, generation: 1, urlHash: row.urlHash };
    migration.whenEmbedding.set(NEW.space, async () => {
      const [page] = await migration.stores.pageStore.get([{ ...address, revision: row.revision }]);
      if (!page) throw new Error('no text');
      await migration.stores.pageStore.put([{ address: { ...address, revision: row.revision + 1000 }, page }]);
      await migration.stores.table.update(pageKey(siteId, 1, row), { add: { revision: 1000 } });
      await migration.stores.pageStore.remove([{ ...address, revision: row.revision }]);
    });
    await migration.finish();
    await expectMigrated([texts(2, 0, PAGES), texts(2, 0, 3)]);
  });

  it('does not bring back a site that is deleted while its pages are read', async () => {
    await migration.ensure(NEW);
    const { pageIndex } = migration.configured(NEW);
    const { siteId, orgId } = sites[0];
    migration.whenEmbedding.set(NEW.space, async () => {
      const caller = { orgId, plan: 'pro', role: 'owner', keyId: 'key' } as const;
      await deleteSite(siteId, caller, { ...migration.stores, clock: migration.clock });
      await cleanUpSite({ siteId }, { ...migration.stores, pageIndex, clock: migration.clock });
    });
    await migration.finish();
    await expectMigrated([{}, texts(2, 0, 3)]);
  });

  it('does not bring back a page removed while it is read, even if the index has forgotten the removal', async () => {
    await migration.ensure(NEW);
    const [row] = await sites[0].rows();
    if (!row) throw new Error('no page');
    migration.whenEmbedding.set(NEW.space, () =>
      migration.stores.table.removeMany([{ pk: `SITE#${sites[0].siteId}`, sk: `G#00000001#PAGE#${row.url}` }]),
    );
    await migration.finish();
    const { [new URL(row.url).pathname]: gone, ...others } = texts(2, 0, PAGES);
    expect(gone).toBeDefined();
    await expectMigrated([others, texts(2, 0, 3)]);
  });

  it('waits while the new index is unavailable, and continues where it stopped', async () => {
    const { secondary } = await migration.ensure(NEW);
    const name = secondary?.index ?? '';
    const away = migration.indices.get(name);
    if (!away) throw new Error('no index');
    migration.whenEmbedding.set(NEW.space, async () => void migration.indices.delete(name));
    await migration.deliver();
    const before = migration.now;
    await migration.deliver();
    expect((await migration.registry()).notBefore * 1000).toBeGreaterThan(before);
    migration.indices.set(name, away);
    await migration.finish();
    await expectMigrated([texts(2, 0, PAGES), texts(2, 0, 3)]);
  });

  it('is reverted when the old model is configured again, and leaves nothing of the new one', async () => {
    await migration.ensure(NEW);
    await migration.deliver();
    await migration.ensure(OLD);
    await sites[1].ingest([textPage('p3', 'Text 3.')], migration.configured(OLD));
    await migration.finish();
    expect(await migration.registry()).toMatchObject({ searched: OLD, retired: [] });
    expect(migration.indices.size).toBe(1);
    expect(textsIn(await migration.searched(), sites[1].siteId)).toEqual(texts(1, 0, 4));
  });

  it('goes to a third model when that one is configured before it has ended', async () => {
    await migration.ensure(NEW);
    await migration.deliver();
    await migration.ensure(kindOf(3));
    await migration.finish();
    expect(await migration.registry()).toMatchObject({ searched: kindOf(3), retired: [] });
    expect(migration.indices.size).toBe(1);
    expect(textsIn(await migration.searched(), sites[0].siteId)).toEqual(texts(3, 0, PAGES));
  });
});

describe('A migration to another layout', () => {
  it('does not write new entries to the old index, and loses nothing', async () => {
    const kind = { ...OLD, layout: 'v2' };
    await sites[1].ingest([textPage('p3', 'Text 3.')], migration.configured(kind)); // by new code, before the migration
    await migration.ensure(kind);
    await sites[1].ingest([textPage('p0', 'Newer text.')], migration.configured(kind));
    const [old] = [...migration.indices.values()];
    expect(old && textsIn(old, sites[1].siteId)).toEqual(texts(1, 0, 3));
    await migration.finish();
    expect(textsIn(await migration.searched(), sites[1].siteId)).toEqual({
      ...texts(1, 1, 4),
      '/docs/p0': 'Newer text. (1)',
    });
  });
});

describe('An index that was lost', () => {
  it('an index that was lost is created again and filled', async () => {
    migration.indices.clear();
    await migration.ensure(OLD);
    await migration.finish();
    expect(textsIn(await migration.searched(), sites[0].siteId)).toEqual(texts(1, 0, PAGES));
    expect((await migration.registry()).step).toBeUndefined();
  });
});

describe('An index that is rebuilt', () => {
  it('an index that is rebuilt is searched until a new one of its kind is filled', async () => {
    const before = await migration.registry();
    const { searched, secondary } = await migration.rebuild({ isUsable: true });
    expect(searched).toEqual(before.searched);
    expect(secondary).toEqual({ ...before.searched, index: expect.not.stringMatching(`^${before.searched.index}$`) });
    await migration.finish();
    expect((await migration.registry()).searched).toEqual(secondary);
    expect(textsIn(await migration.searched(), sites[0].siteId)).toEqual(texts(1, 0, PAGES));
    expect([...migration.indices.keys()]).toEqual([secondary?.index]);
  });

  it('an index that is rebuilt is replaced at once if it cannot be searched', async () => {
    const before = await migration.registry();
    const { searched, retired } = await migration.rebuild({ isUsable: false });
    expect(retired).toEqual([before.searched.index]);
    await migration.finish();
    expect((await migration.registry()).searched).toEqual(searched);
    expect(textsIn(await migration.searched(), sites[0].siteId)).toEqual(texts(1, 0, PAGES));
    expect([...migration.indices.keys()]).toEqual([searched.index]);
  });
});

describe('An index with another number of shards', () => {
  it('is another index, and both are written until it is filled', async () => {
    await migration.ensure({ ...OLD, shards: 1 });
    await migration.finish();
    const { searched, secondary } = await migration.ensure({ ...OLD, shards: 3 });
    expect([searched.shards, secondary?.shards]).toEqual([1, 3]);
    await migration.finish();
    expect((await migration.registry()).searched.shards).toBe(3);
    expect(textsIn(await migration.searched(), sites[0].siteId)).toEqual(texts(1, 0, PAGES));
  });
});

describe('Ensuring an index', () => {
  it('changes nothing when the index is already searched or being filled', async () => {
    const before = await migration.registry();
    expect(await migration.ensure(OLD)).toEqual(before);
    await migration.ensure(NEW);
    const moving = await migration.registry();
    expect(await migration.ensure(NEW)).toEqual(moving);
  });

  it('starts one migration, however many processes ask at once', async () => {
    const records = await Promise.all([migration.ensure(NEW), migration.ensure(NEW), migration.ensure(NEW)]);
    expect(new Set(records.map(({ secondary }) => secondary?.index)).size).toBe(1);
  });
});
