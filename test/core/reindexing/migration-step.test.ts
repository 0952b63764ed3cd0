import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { pageKey } from '../../../lambdas/core/pages/page-registry.ts';
import type { Table } from '../../../lambdas/core/ports/table.ts';
import { resendMove } from '../../../lambdas/core/reindexing/retry-migration.ts';
import { cleanUpSite } from '../../../lambdas/core/removal/clean-up.ts';
import { deleteSite } from '../../../lambdas/core/removal/delete-site.ts';
import { IngestSite, textPage } from '../../support/ingest-site.ts';
import { openLocalStore } from '../../support/local-store.ts';
import { kindOf, MovingSpaces } from '../../support/moving-spaces.ts';

const [OLD, NEW] = [kindOf(1), kindOf(2)];
/** More than are rebuilt together. */
const PAGES = 25;

let close: () => Promise<void>;
let spaces: MovingSpaces;
let sites: readonly [IngestSite, IngestSite];
beforeEach(async () => {
  close = await openLocalStore();
  spaces = new MovingSpaces();
  await spaces.adopt(OLD);
  await spaces.untilMoved();
  sites = [await IngestSite.open(spaces.clock), await IngestSite.open(spaces.clock)];
  const pages = Array.from({ length: PAGES }, (_, n) => textPage(`p${n}`, `Text ${n}.`));
  await sites[0].ingest(pages, spaces.configured(OLD));
  await sites[1].ingest(pages.slice(0, 3), spaces.configured(OLD));
});
afterEach(() => close());

const texts = (vector: number, from: number, to: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: to - from }, (_, n) => [`/docs/p${from + n}`, `Text ${from + n}. (${vector})`]),
  );

/** The index that is searched holds exactly what the registry says, with vectors of its space, and no other is left. */
async function expectMoved(expected: readonly Readonly<Record<string, string>>[]): Promise<void> {
  const { searched, also, step, left } = await spaces.record();
  expect({ space: searched.space, also, step, left }).toEqual({ space: NEW.space, left: [] });
  expect([...spaces.indices.keys()]).toEqual([searched.index]);
  const index = await spaces.searched();
  expect(sites.map(({ siteId }) => index.of(siteId))).toEqual(expected);
}

/** A table whose nth call breaks off, before it is carried out or afterwards. */
function breakingTable(nth: number): { readonly table: Table; readonly hasBroken: () => boolean } {
  let left = nth;
  const breaking =
    (target: Table, name: keyof Table) =>
    async (...args: readonly unknown[]) => {
      left--;
      if (left === 0 && nth % 2 === 0) throw new Error('it breaks off before');
      const answer = await (target[name] as (...all: readonly unknown[]) => Promise<unknown>)(...args);
      if (left === 0) throw new Error('it breaks off afterwards');
      return answer;
    };
  return { table: new Proxy(table, { get: breaking }), hasBroken: () => left <= 0 };
}

describe('A move to another model', () => {
  it('begins with the old index searched and both written, and ends with the new one alone', async () => {
    await spaces.adopt(NEW);
    expect(await spaces.record()).toMatchObject({ searched: OLD, also: NEW, step: 'fill' });
    await sites[1].ingest([textPage('p3', 'Text 3.')], spaces.configured(NEW));
    const [old, next] = [...spaces.indices.values()];
    expect(old?.of(sites[1].siteId)).toEqual(texts(1, 0, 4));
    expect(next?.of(sites[1].siteId)).toEqual(texts(2, 3, 4));
    await spaces.untilMoved();
    await expectMoved([texts(2, 0, PAGES), texts(2, 0, 4)]);
  });

  it('is taken up again wherever it breaks off', async () => {
    let [from, to] = [OLD, NEW];
    let at = 1;
    for (let hasBroken = true; hasBroken; at += 3) {
      const breaking = breakingTable(at);
      await spaces.adopt(to);
      await spaces.untilMoved({ table: breaking.table });
      spaces.now += 3_600_000;
      await resendMove({ table, queue, clock: spaces.clock }); // the message may have been lost with the worker
      await spaces.untilMoved();
      const vector = to === NEW ? 2 : 1;
      const index = await spaces.searched();
      expect(sites.map(({ siteId }) => index.of(siteId))).toEqual([texts(vector, 0, PAGES), texts(vector, 0, 3)]);
      expect(spaces.indices.size).toBe(1);
      expect((await spaces.record()).searched.space).toBe(to.space);
      hasBroken = breaking.hasBroken();
      [from, to] = [to, from];
    }
    expect(at).toBeGreaterThan(20);
  });

  it('takes the newer text of a page that is written while its old one is read', async () => {
    await spaces.adopt(NEW);
    const writer = spaces.configured(NEW);
    spaces.whenEmbedding.set(NEW.space, () => sites[0].ingest([textPage('p0', 'Newer text.')], writer));
    await spaces.untilMoved();
    await expectMoved([{ ...texts(2, 1, PAGES), '/docs/p0': 'Newer text. (2)' }, texts(2, 0, 3)]);
  });

  it('has a page whose text gets another revision, and its index entry none, while it is read', async () => {
    await spaces.adopt(NEW);
    const [row] = await sites[0].rows();
    if (!row) throw new Error('no page');
    const { siteId } = sites[0];
    const address = { siteId, generation: 1, urlHash: row.urlHash };
    spaces.whenEmbedding.set(NEW.space, async () => {
      const [page] = await pageStore.get([{ ...address, revision: row.revision }]);
      if (!page) throw new Error('no text');
      await pageStore.put([{ address: { ...address, revision: row.revision + 1000 }, page }]);
      await table.update(pageKey(siteId, 1, row), { add: { revision: 1000 } });
      await pageStore.remove([{ ...address, revision: row.revision }]);
    });
    await spaces.untilMoved();
    await expectMoved([texts(2, 0, PAGES), texts(2, 0, 3)]);
  });

  it('does not bring back a site that is deleted while its pages are read', async () => {
    await spaces.adopt(NEW);
    const { pageIndex } = spaces.configured(NEW);
    const { siteId, orgId } = sites[0];
    spaces.whenEmbedding.set(NEW.space, async () => {
      const caller = { orgId, plan: 'pro', role: 'owner', keyId: 'key' } as const;
      await deleteSite(siteId, caller, { table, queue, clock: spaces.clock });
      await cleanUpSite(siteId, { table, pageStore, pageIndex, queue, clock: spaces.clock });
    });
    await spaces.untilMoved();
    await expectMoved([{}, texts(2, 0, 3)]);
  });

  it('does not bring back a page that is removed while it is read, though the index has forgotten it', async () => {
    await spaces.adopt(NEW);
    const [row] = await sites[0].rows();
    if (!row) throw new Error('no page');
    spaces.whenEmbedding.set(NEW.space, () =>
      table.removeMany([{ pk: `SITE#${sites[0].siteId}`, sk: `G#00000001#PAGE#${row.url}` }]),
    );
    await spaces.untilMoved();
    const { [new URL(row.url).pathname]: gone, ...others } = texts(2, 0, PAGES);
    expect(gone).toBeDefined();
    await expectMoved([others, texts(2, 0, 3)]);
  });

  it('waits where the new index cannot be reached, and goes on where it was', async () => {
    const { also } = await spaces.adopt(NEW);
    const name = also?.index ?? '';
    const away = spaces.indices.get(name);
    if (!away) throw new Error('no index');
    spaces.whenEmbedding.set(NEW.space, async () => void spaces.indices.delete(name));
    await spaces.deliver();
    const before = spaces.now;
    await spaces.deliver();
    expect((await spaces.record()).notBefore * 1000).toBeGreaterThan(before);
    spaces.indices.set(name, away);
    await spaces.untilMoved();
    await expectMoved([texts(2, 0, PAGES), texts(2, 0, 3)]);
  });

  it('is turned back where the old model is configured again, and leaves nothing of the new one', async () => {
    await spaces.adopt(NEW);
    await spaces.deliver();
    await spaces.adopt(OLD);
    await sites[1].ingest([textPage('p3', 'Text 3.')], spaces.configured(OLD));
    await spaces.untilMoved();
    expect(await spaces.record()).toMatchObject({ searched: OLD, left: [] });
    expect(spaces.indices.size).toBe(1);
    expect((await spaces.searched()).of(sites[1].siteId)).toEqual(texts(1, 0, 4));
  });

  it('goes to a third model where that one is configured before it has ended', async () => {
    await spaces.adopt(NEW);
    await spaces.deliver();
    await spaces.adopt(kindOf(3));
    await spaces.untilMoved();
    expect(await spaces.record()).toMatchObject({ searched: kindOf(3), left: [] });
    expect(spaces.indices.size).toBe(1);
    expect((await spaces.searched()).of(sites[0].siteId)).toEqual(texts(3, 0, PAGES));
  });
});

describe('A move to another layout', () => {
  it('leaves the old index as it was, which could not take what is written now, and loses nothing', async () => {
    const kind = { ...OLD, layout: 'v2' };
    await sites[1].ingest([textPage('p3', 'Text 3.')], spaces.configured(kind)); // the new code runs before the move begins
    await spaces.adopt(kind);
    await sites[1].ingest([textPage('p0', 'Newer text.')], spaces.configured(kind));
    const [old] = [...spaces.indices.values()];
    expect(old?.of(sites[1].siteId)).toEqual(texts(1, 0, 3));
    await spaces.untilMoved();
    expect((await spaces.searched()).of(sites[1].siteId)).toEqual({ ...texts(1, 1, 4), '/docs/p0': 'Newer text. (1)' });
  });
});

describe('An index that was lost', () => {
  it('is made and filled anew', async () => {
    spaces.indices.clear();
    await spaces.adopt(OLD);
    await spaces.untilMoved();
    expect((await spaces.searched()).of(sites[0].siteId)).toEqual(texts(1, 0, PAGES));
    expect((await spaces.record()).step).toBeUndefined();
  });
});

describe('To adopt a model', () => {
  it('changes nothing where it is adopted already', async () => {
    const before = await spaces.record();
    expect(await spaces.adopt(OLD)).toEqual(before);
    await spaces.adopt(NEW);
    const moving = await spaces.record();
    expect(await spaces.adopt(NEW)).toEqual(moving);
  });

  it('begins one move, however many ask at once', async () => {
    const records = await Promise.all([spaces.adopt(NEW), spaces.adopt(NEW), spaces.adopt(NEW)]);
    expect(new Set(records.map(({ also }) => also?.index)).size).toBe(1);
  });
});
