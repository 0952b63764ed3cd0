import { setImmediate as immediately } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pageIndex } from '#adapters/page-index';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { pageReader } from '../../../lambdas/aws/page-reader.ts';
import { builtinEmbedder } from '../../../lambdas/connectors/embedder/builtin.ts';
import { hasEnded, readJob } from '../../../lambdas/domain/crawl/jobs/job.ts';
import { jobPages } from '../../../lambdas/domain/crawl/jobs/job-pages.ts';
import { startCrawl } from '../../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { runSlice } from '../../../lambdas/domain/crawl/run-slice.ts';
import type { Table } from '../../../lambdas/domain/ports/table.ts';
import { createOrganisation } from '../../../lambdas/domain/sites/access/organisation.ts';
import { createSite } from '../../../lambdas/domain/sites/manage-sites.ts';
import { newId } from '../../../lambdas/runtime/system.ts';
import { openLocalStore } from '../../support/local-store.ts';
import { namedHosts } from '../../support/named-hosts.ts';
import { htmlPage, type WebSite, webSite } from '../../support/web-site.ts';
import { movedTo } from '../../support/word-site.ts';

const BEFORE = 'http://site.test';
const NOW = 'http://www.site.test';

/** A table that fails at its n-th write, after or before carrying it out. */
function dyingTable(n: number, isDone: boolean): Table {
  let writes = 0;
  return {
    get: (key) => table.get(key),
    getMany: (keys) => table.getMany(keys),
    query: (pk, range) => table.query(pk, range),
    update: (key, changes) => table.update(key, changes),
    putMany: (items) => table.putMany(items),
    removeMany: (keys) => table.removeMany(keys),
    count: (counter, count) => table.count(counter, count),
    write: async (changes) => {
      writes++;
      if (writes !== n) return table.write(changes);
      if (isDone) await table.write(changes);
      throw new Error('dead');
    },
  };
}

describe('a job whose worker dies at any of its writes', () => {
  let close: () => Promise<void>;
  let before: WebSite;
  let now: WebSite;
  const clock = Date.now;
  const caller = { orgId: newId(), plan: 'enterprise' } as const;

  beforeAll(async () => {
    close = await openLocalStore();
    await createOrganisation({ orgId: caller.orgId, name: 'Test', plan: caller.plan }, { table, clock });
    now = await webSite({ '/': htmlPage('Home', 'Here it is now.', ['/a', '/b']), '/a': htmlPage('A', 'The first.') });
    before = await webSite({ '/': movedTo(`${NOW}/`), '/a': movedTo(`${NOW}/a`), '/c': '<p>Alone.' });
  });
  afterAll(async () => {
    await close();
    await Promise.all([before.close(), now.close()]);
  });

  const runOn = (store: Table, jobId: string, siteId: string, slice: number) =>
    runSlice(
      { siteId, jobId, slice },
      {
        ...{ table: store, queue, pageStore, pageIndex, embedder: builtinEmbedder(), clock },
        sleep: () => immediately(), // lets other callbacks run
        halt: new AbortController().signal,
        pageReader,
        openFetcher: () => namedHosts(() => ({ [BEFORE]: before, [NOW]: now })),
      },
    );

  /** The outcome of every URL, and whether the table failed. */
  async function ends(singleUrls: readonly string[] | undefined, dying: Table) {
    const { settings } = await createSite({ name: 'Test', baseUrl: BEFORE }, caller, { table, clock, newId });
    const { siteId } = settings;
    const overrides = singleUrls ? { singleUrls: [...singleUrls] } : {};
    const { jobId } = await startCrawl({ siteId, overrides }, caller, { table, queue, clock, newId });
    const died = await runOn(dying, jobId, siteId, 0).then(
      () => false,
      () => true,
    );
    for (;;) {
      const job = await readJob(jobId, table);
      if (!job) throw new Error('no such job');
      if (!hasEnded(job)) {
        await runOn(table, jobId, siteId, job.slice);
        continue;
      }
      const { items } = await jobPages(job, { limit: 100 }, table);
      const urls = items.map(({ url, outcome, reason }) => `${url} ${outcome} ${reason}`).toSorted();
      const { status, discovered, indexed, skipped, gone, failed } = job;
      return { died, end: { urls, status, discovered, indexed, skipped, gone, failed } };
    }
  }

  it.each([
    ['of a site that moved to another origin', undefined, 4],
    ['of listed URLs', ['/a', '/c', 'https://elsewhere.example/'], 4],
  ])('%s ends as without the crash', async (_, singleUrls, discovered) => {
    const expected = await ends(singleUrls, table);
    expect(expected.end).toMatchObject({ status: 'completed', discovered, indexed: 2 });
    for (const isDone of [false, true]) {
      for (let n = 1, died = true; died; n++) {
        const ended = await ends(singleUrls, dyingTable(n, isDone));
        if (ended.died) expect(ended.end).toEqual(expected.end);
        died = ended.died;
        expect(n).toBeLessThan(40);
      }
    }
  });
});
