import { beforeEach, describe, expect, it } from '@jest/globals';
import { Frontier } from '../../../../lambdas/domain/crawl/frontier/frontier.ts';
import { urlFilter } from '../../../../lambdas/domain/crawl/frontier/url-filter.ts';
import type { Slice } from '../../../../lambdas/domain/crawl/jobs/slice.ts';
import { finishChanges, postponeChanges, type QueuedUrl } from '../../../../lambdas/domain/crawl/jobs/url-rows.ts';
import type { Key, Table } from '../../../../lambdas/domain/ports/table.ts';
import { claimedSlice } from '../../../support/crawl-here.ts';
import { table } from '../../../support/memory/stores.ts';

const ORIGIN = 'https://site.example';
const at = (path: string): string => ORIGIN + path;

describe('the frontier', () => {
  let slice: Slice;
  let frontier: Frontier;

  beforeEach(async () => {
    slice = await claimedSlice(ORIGIN, { maxDepth: 1 });
    frontier = await open();
  });

  const open = () => Frontier.open(slice, urlFilter(slice.job));
  async function postpone(url: QueuedUrl, notBefore: number): Promise<void> {
    const next = { tries: 1, notBefore };
    expect(await table.write(postponeChanges(slice.job.jobId, url, next))).toEqual([]);
    frontier.dequeued(url, next);
  }
  const queued = async () => (await frontier.shallowest(10)).map(({ url }) => url);

  it.each([
    ['first', (ways: readonly object[]) => ways],
    ['last', (ways: readonly object[]) => ways.toReversed()],
  ])('keeps the best of several ways to a URL that are found together, also if it comes %s', async (_, order) => {
    const ways = order([
      { url: at('/moved'), depth: 0, isTarget: true },
      { url: at('/moved'), depth: 2 },
      { url: at('/named'), depth: 0 },
      { url: at('/named'), depth: 0, isLeaf: true },
      { url: at('/deep'), depth: 0, isLeaf: true },
      { url: at('/deep'), depth: 2 },
    ]);
    await frontier.add(ways as Parameters<Frontier['add']>[0]);
    expect((await queued()).toSorted()).toEqual([at('/'), at('/moved'), at('/named')]);
    expect(await frontier.shallowest(10, 'leaves')).toMatchObject([{ url: at('/deep'), depth: 0 }]);
  });

  describe('with the start page and a link', () => {
    let start: QueuedUrl;
    beforeEach(async () => {
      await frontier.add([{ url: at('/deeper'), depth: 1 }]);
      [start] = (await frontier.shallowest(1)) as [QueuedUrl];
    });

    it('returns deeper URLs once the shallower ones are expanded, which stay queued until their outcome', async () => {
      expect(await queued()).toEqual([at('/')]);
      frontier.markExpanded([start]);
      expect(await queued()).toEqual([at('/deeper')]);
      expect(await frontier.find(start.urlHash)).toBeDefined();
    });

    it('does not count a URL as expanded for a query that may miss its links', async () => {
      const asked = queued();
      frontier.markExpanded([start]);
      expect(await asked).toEqual([at('/')]);
    });

    it('returns an expanded URL again if it was postponed', async () => {
      frontier.markExpanded([start]);
      await postpone(start, 1);
      expect(await frontier.postponed(10)).toMatchObject([{ url: at('/') }]);
    });

    it('is blocked by an expanded URL that was moved in the queue since it was taken', async () => {
      frontier.markExpanded([start]);
      const [deeper] = (await frontier.shallowest(10)) as [QueuedUrl];
      frontier.markExpanded([deeper]);
      expect(await queued()).toEqual([]);
      await frontier.add([{ url: at('/deeper'), depth: 0, isTarget: true }]);
      expect(await queued()).toEqual([at('/deeper')]);
    });
  });

  it('returns all postponed URLs, also beside an expanded one, and in a later slice', async () => {
    await frontier.add([{ url: at('/a'), depth: 0 }]);
    const urls = await frontier.shallowest(10);
    expect(urls.map(({ url }) => url)).toEqual([at('/'), at('/a')]);
    for (const [index, url] of urls.entries()) await postpone(url, index);
    const [first, second] = await frontier.postponed(10);
    frontier.markExpanded(first ? [first] : []);
    expect(await frontier.postponed(10)).toEqual([second]);
    frontier = await open();
    expect(await frontier.postponed(10)).toEqual([first, second]);
  });

  it('keeps a URL that is moved in the queue while it is read', async () => {
    await frontier.add([{ url: at('/a'), depth: 1 }]);
    let whenRead: (() => Promise<void>) | undefined;
    const table: Table = {
      ...slice.table,
      async getMany<T extends object>(keys: readonly Key[]) {
        const rows = await slice.table.getMany<T>(keys);
        await whenRead?.();
        return rows;
      },
    };
    const reading = await Frontier.open(Object.create(slice, { table: { value: table } }), urlFilter(slice.job));
    const [start] = await reading.shallowest(1);
    if (start) reading.markExpanded([start]);
    whenRead = async () => {
      whenRead = undefined;
      await reading.add([{ url: at('/a'), depth: 0, isTarget: true }]);
    };
    await reading.shallowest(10);
    expect(await reading.shallowest(10)).toMatchObject([{ url: at('/a'), depth: 0 }]);
  });

  it('fetches a leaf again if its visit is committed while a link to it is recorded', async () => {
    await frontier.add([{ url: at('/leaf'), depth: 0, isLeaf: true }]);
    const [leaf] = (await frontier.shallowest(10, 'leaves')) as [QueuedUrl];
    const ending = { outcome: 'indexed', status: 200 } as const;
    let isCommitted = false;
    const table: Table = {
      ...slice.table,
      async getMany<T extends object>(keys: readonly Key[]) {
        const rows = await slice.table.getMany<T>(keys);
        if (isCommitted) return rows;
        isCommitted = true;
        expect(await slice.table.write(finishChanges(slice.job.jobId, leaf, ending))).toEqual([]);
        return rows;
      },
    };
    const reading = await Frontier.open(Object.create(slice, { table: { value: table } }), urlFilter(slice.job));
    await reading.add([{ url: at('/leaf'), depth: 1 }]);
    const again = await reading.find(leaf.urlHash);
    expect([again?.depth, again?.isLeaf ?? false]).toEqual([1, false]);
  });

  describe('with a postponed leaf', () => {
    beforeEach(async () => {
      await frontier.add([{ url: at('/leaf'), depth: 0, isLeaf: true }]);
      const [leaf] = await frontier.shallowest(10, 'leaves');
      if (leaf) await postpone(leaf, 1);
    });
    const waiting = async (): Promise<QueuedUrl> => {
      const [first] = await frontier.postponed(10);
      if (!first) throw new Error('nothing waits');
      return first;
    };

    it('reserves no room for a postponed leaf, in this slice and later ones', async () => {
      await postpone(await waiting(), 2);
      expect(frontier.leaves).toBe(0);
      expect((await open()).leaves).toBe(0);
    });

    it('returns a postponed leaf again if a link to it is found', async () => {
      const taken = await waiting();
      await frontier.add([{ url: at('/leaf'), depth: 1 }]);
      const ending = { outcome: 'indexed', status: 200 } as const;
      const changes = finishChanges(slice.job.jobId, taken, ending);
      expect(await table.write(changes)).toEqual([changes[0]]);
      const again = await waiting();
      expect([again.depth, again.isLeaf ?? false]).toEqual([1, false]);
      expect(await table.write(finishChanges(slice.job.jobId, again, ending))).toEqual([]);
    });
  });
});
