import { setImmediate as immediately } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { hasEnded, readJob } from '../../../lambdas/domain/crawl/jobs/job.ts';
import { jobPages } from '../../../lambdas/domain/crawl/jobs/job-pages.ts';
import { startCrawl } from '../../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { runSlice } from '../../../lambdas/domain/crawl/run-slice.ts';
import type { Table } from '../../../lambdas/domain/ports/table.ts';
import { createOrganisation } from '../../../lambdas/domain/sites/access/organisation.ts';
import { createSite } from '../../../lambdas/domain/sites/manage-sites.ts';
import { newId } from '../../../lambdas/runtime/system.ts';
import { crawlDeps } from '../../support/crawl-here.ts';
import { queue, table } from '../../support/memory/stores.ts';
import { memorySite } from '../../support/memory/web.ts';
import { htmlPage } from '../../support/web-site.ts';
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
  const clock = Date.now;
  const caller = { orgId: newId(), plan: 'enterprise' } as const;

  beforeAll(async () => {
    await createOrganisation({ orgId: caller.orgId, name: 'Test', plan: caller.plan }, { table, clock });
    memorySite({ '/': htmlPage('Home', 'Here it is now.', ['/a', '/b']), '/a': htmlPage('A', 'The first.') }, NOW);
    memorySite({ '/': movedTo(`${NOW}/`), '/a': movedTo(`${NOW}/a`), '/c': '<p>Alone.' }, BEFORE);
  });

  const runOn = (store: Table, jobId: string, siteId: string, slice: number) =>
    runSlice(
      { siteId, jobId, slice },
      crawlDeps({ table: store, sleep: () => immediately() }), // lets other callbacks run
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
