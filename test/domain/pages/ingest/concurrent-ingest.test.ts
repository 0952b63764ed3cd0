import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '../../../../lambdas/domain/errors.ts';
import { finishWrites } from '../../../../lambdas/domain/pages/finish-writes.ts';
import type { IngestDeps } from '../../../../lambdas/domain/pages/ingest/ingest-pages.ts';
import { pageKey } from '../../../../lambdas/domain/pages/page-registry.ts';
import { deleteSite } from '../../../../lambdas/domain/pages/removal/delete-site.ts';
import { readSite, stateKey } from '../../../../lambdas/domain/sites/site.ts';
import { urlHash } from '../../../../lambdas/text/web/url.ts';
import { IngestSite, textPage } from '../../../support/ingest-site.ts';
import { pageIndex, pageStore, queue, table } from '../../../support/memory/stores.ts';

const PATHS = ['/anchor', '/bell', '/compass'];
const pages = (word: string, paths = PATHS): readonly object[] =>
  paths.map((path) => textPage(path, `The ${path.slice(1)} of the ${word}.`, { title: `${path.slice(1)} ${word}` }));

type Stores = Pick<IngestDeps, 'table' | 'pageStore' | 'pageIndex' | 'queue'>;

/** The object with a method that first does something else. */
const precededBy = <T extends object>(target: T, name: keyof T, first: () => Promise<unknown>): T => {
  const method = target[name] as (...args: unknown[]) => Promise<unknown>;
  return { ...target, [name]: (...args: unknown[]) => first().then(() => method(...args)) };
};

/** The stores of a process that dies at its nth call: that call is carried out or not, and no later call is. */
function dyingAt(n: number, isDone: boolean): { readonly stores: Stores; readonly calls: () => number } {
  let calls = 0;
  const dying = <T extends object>(store: T): T =>
    Object.fromEntries(
      Object.entries(store).map(([name, method]) => [
        name,
        async (...args: unknown[]) => {
          calls++;
          if (calls > n || (calls === n && !isDone)) throw new UnavailableError('dead');
          const answer = await (method as (...all: unknown[]) => Promise<unknown>)(...args);
          if (calls >= n) throw new UnavailableError('dead');
          return answer;
        },
      ]),
    ) as T;
  return {
    stores: { table: dying(table), pageStore: dying(pageStore), pageIndex: dying(pageIndex), queue: dying(queue) },
    calls: () => calls,
  };
}

describe('ingesting pages', () => {
  let site: IngestSite;

  beforeEach(async () => {
    site = await IngestSite.open();
  });

  it('with the same URLs at once leaves each page once, with one of the contents', async () => {
    const words = ['ship', 'boat', 'ferry', 'yacht', 'canoe', 'raft', 'barge', 'tug'];
    const answers = await Promise.all(words.map((word) => site.ingest(pages(word))));
    for (const { success } of answers) expect(success).toBe(true);
    expect(answers.flatMap(({ results }) => results).filter(({ isNew }) => isNew)).toHaveLength(PATHS.length);
    expect(await site.settled()).toHaveLength(PATHS.length);
  });

  it('with the same content at once succeeds in every request', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => site.ingest(pages('ship'))));
    expect(answers.map(({ failed }) => failed)).toEqual(Array(8).fill(0));
    expect(await site.settled()).toHaveLength(PATHS.length);
  });

  it('in several languages at once records all languages', async () => {
    await Promise.all(
      ['en', 'de', 'fr', 'it', 'es'].map((language) => site.one(textPage(`/${language}`, 'Words.', { language }))),
    );
    expect((await site.record()).state.languages?.toSorted()).toEqual(['de', 'en', 'es', 'fr', 'it']);
  });

  it('takes over a crawled page, even a half-written or concurrent one, and counts it once', async () => {
    const { generation } = (await site.record()).state;
    const url = 'https://www.example/anchor';
    const row = {
      url,
      urlHash: urlHash(url),
      title: 'Crawled',
      tags: [],
      source: 'crawl',
      contentHash: '',
      textHash: '',
      crawledAt: '',
      indexedAt: 1,
      revision: 0,
      chunks: 1,
      pending: true,
    };
    const key = pageKey(site.siteId, generation, { url, urlHash: urlHash(url) });
    const crawl = () =>
      table.write([
        { put: { ...key, ...row }, when: { exists: false } },
        { update: stateKey(site.siteId), add: { pageCount: 1 } },
      ]);
    await site.one(pages('ship')[0], { pageStore: precededBy(pageStore, 'put', crawl) });
    expect(await site.settled()).toMatchObject([{ source: 'ingest', title: 'anchor ship' }]);
    await table.update(key, { set: { source: 'crawl', pending: true } });
    expect(await site.one(pages('ship')[0])).toMatchObject({ status: 'success', isNew: false });
    expect(await site.settled()).toMatchObject([{ source: 'ingest' }]);
    await table.update(key, { set: { source: 'crawl' } });
    expect(await site.one(pages('boat')[0])).toMatchObject({ status: 'success', isNew: false });
    expect(await site.settled()).toMatchObject([{ source: 'ingest', title: 'anchor boat' }]);
  });

  it.each([false, true])('succeeds after a crash at any call, the call carried out: %s', async (isDone) => {
    await site.ingest(pages('ship', ['/anchor']));
    const { calls, stores } = dyingAt(Number.POSITIVE_INFINITY, true);
    await (await IngestSite.open()).ingest(pages('boat'), stores);
    expect(calls()).toBeGreaterThan(8);
    for (let n = 1; n <= calls(); n++) {
      const word = `boat ${n}`;
      const crashed = await site.ingest(pages(word), dyingAt(n, isDone).stores).catch((error: Error) => error.name);
      const { results } = typeof crashed === 'string' ? { results: [] } : crashed;
      const found = await site.indexed();
      for (const [index, { status }] of results.entries())
        if (status !== 'error') expect(found[PATHS[index] ?? '']).toBe(`${PATHS[index]?.slice(1)} ${word}`);
      expect(await site.ingest(pages(word))).toMatchObject({ success: true });
      expect(await site.settled()).toHaveLength(PATHS.length);
    }
  });

  const moved = (path: string, key = 'node:2') => textPage(path, `A mooring at ${path}.`, { title: path, key });
  const paths = async () => (await site.settled()).map(({ url }) => new URL(url).pathname);

  it('with a known key moves the page, and counts it as updated', async () => {
    expect(await site.one(moved('/fees'))).toMatchObject({ status: 'success', isNew: true });
    expect(await site.one(moved('/boats/fees'))).toMatchObject({ status: 'success', isNew: false });
    expect(await paths()).toEqual(['/boats/fees']);
    expect(await site.one(moved('/fees'))).toMatchObject({ status: 'success', isNew: false });
    expect(await paths()).toEqual(['/fees']);
    expect(await site.one(moved('/fees'))).toMatchObject({ status: 'skipped' });
  });

  it('lets pages share a key that those of one request begin to share', async () => {
    await site.ingest([moved('/one'), moved('/other', 'node:3'), moved('/two')]);
    expect(await paths()).toEqual(['/one', '/other', '/two']);
    expect(await site.one(moved('/three'))).toMatchObject({ isNew: true });
    expect(await paths()).toEqual(['/one', '/other', '/three', '/two']);
  });

  it('reads few of the pages that share a key, and leaves all of them', async () => {
    const many = Array.from({ length: 20 }, (_, i) => moved(`/${i}`));
    await site.ingest(many);
    let read = 0;
    const counting: typeof table = {
      ...table,
      query: async (pk, range) => {
        const listing = await table.query(pk, range);
        read += listing.items.length;
        return listing as never;
      },
    };
    expect(await site.one(moved('/more'), { table: counting })).toMatchObject({ isNew: true });
    expect(read).toBeLessThanOrEqual(5);
    expect(await paths()).toHaveLength(21);
  });

  it('with keys that change places keeps both pages', async () => {
    await site.ingest([moved('/a', 'node:1'), moved('/b', 'node:2')]);
    await site.ingest([moved('/b', 'node:1'), moved('/a', 'node:2')]);
    expect((await site.settled()).map(({ url, key }) => [new URL(url).pathname, key])).toEqual([
      ['/a', 'node:2'],
      ['/b', 'node:1'],
    ]);
  });

  it('with one key at once leaves one page', async () => {
    for (const first of [[], ['/a'], ['/a', '/b']]) {
      for (const path of first) await site.one(moved(path));
      const answers = await Promise.all(['/a', '/b', '/c', '/d', '/e'].map((path) => site.one(moved(path))));
      expect(answers.map(({ status }) => status)).not.toContain('error');
      expect(await site.settled()).toHaveLength(1);
    }
  });

  it.each([false, true])('moves a page after a crash at any call, the call carried out: %s', async (isDone) => {
    await site.one(moved('/0'));
    const { calls, stores } = dyingAt(Number.POSITIVE_INFINITY, true);
    await site.one(moved('/1'), stores);
    expect(calls()).toBeGreaterThan(10);
    for (let n = 1; n <= calls(); n++) {
      await site.one(moved(`/crash-${n}`), dyingAt(n, isDone).stores).catch((error: Error) => error);
      await finishWrites(Number.POSITIVE_INFINITY, { ...site.deps(), table, pageStore, pageIndex });
      expect(await site.settled()).toHaveLength(1);
      await site.one(moved(`/after-${n}`));
      expect(await paths()).toEqual([`/after-${n}`]);
    }
  });

  it('moves a page on a full site', async () => {
    const stateOf = stateKey(site.siteId);
    await site.one(moved('/a'));
    await table.update(stateOf, { add: { pageCount: 9_999 } });
    expect(await site.one(textPage('/new', 'Another.')).catch((error: Error) => error.message)).toMatch(/10,?000/);
    expect(await site.one(moved('/b'))).toMatchObject({ status: 'success', isNew: false });
    await table.update(stateOf, { add: { pageCount: -9_999 } });
    expect(await paths()).toEqual(['/b']);
  });

  it('while the site is purged writes nothing to the new generation', async () => {
    const purge = () => table.update(stateKey(site.siteId), { add: { generation: 1 }, set: { pageCount: 0 } });
    for (const stores of [
      { pageStore: precededBy(pageStore, 'put', purge) },
      { table: precededBy(table, 'getMany', purge) },
      { table: precededBy(table, 'write', purge) },
    ]) {
      const { results } = await site.ingest(pages('ship'), stores);
      for (const result of results)
        expect(result).toMatchObject({ status: 'error', error: 'The site was purged or deleted meanwhile' });
    }
    await site.ingest(pages('ship'), { pageIndex: precededBy(pageIndex, 'put', purge) });
    expect(await site.settled()).toEqual([]);
    expect(await site.ingest(pages('ship'))).toMatchObject({ processed: 3 });
    await site.settled();
  });

  it('while the site is deleted leaves it deleted', async () => {
    const caller = { orgId: site.orgId, keyId: '', role: 'owner', plan: 'pro' } as const;
    const remove = () => deleteSite(site.siteId, caller, { table, queue, clock: Date.now });
    const { results } = await site.ingest(pages('ship'), { pageStore: precededBy(pageStore, 'put', remove) });
    for (const { status } of results) expect(status).toBe('error');
    expect(await readSite(site.siteId, table)).toBeUndefined();
    expect(await table.get(stateKey(site.siteId))).toBeUndefined();
  });

  it('while a page is deleted leaves it out of the index', async () => {
    const { generation } = (await site.record()).state;
    const url = 'https://www.example/bell';
    const remove = async () => {
      await table.removeMany([pageKey(site.siteId, generation, { url, urlHash: urlHash(url) })]);
      await table.update(stateKey(site.siteId), { add: { pageCount: -1 } });
    };
    await site.ingest(pages('ship'), { pageIndex: precededBy(pageIndex, 'put', remove) });
    expect(Object.keys(await site.indexed())).toEqual(['/anchor', '/compass']);
    await site.settled();
  });
});
