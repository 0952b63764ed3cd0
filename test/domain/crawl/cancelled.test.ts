import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { cancelCrawl } from '../../../lambdas/domain/crawl/jobs/end-crawl.ts';
import { type CrawlJob, readJob } from '../../../lambdas/domain/crawl/jobs/job.ts';
import { jobPages } from '../../../lambdas/domain/crawl/jobs/job-pages.ts';
import { startCrawl } from '../../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { runSlice } from '../../../lambdas/domain/crawl/run-slice.ts';
import { registeredPages } from '../../../lambdas/domain/pages/page-registry.ts';
import type { PageIndex } from '../../../lambdas/domain/ports/page-index.ts';
import { readSite } from '../../../lambdas/domain/sites/site.ts';
import { clock, newId } from '../../../lambdas/runtime/system.ts';
import { SeededRandom } from '../../simulation/seeded-random.ts';
import { crawlDeps, newSite } from '../../support/crawl-here.ts';
import { pageIndex, queue, table } from '../../support/memory/stores.ts';
import { type MemorySite, memorySite } from '../../support/memory/web.ts';
import { htmlPage } from '../../support/web-site.ts';

const PAGES = Array.from({ length: 120 }, (_, index) => `/page-${index}`);
const CANCELS = 12;
const MAX_MS = 600;
/**
 * Determines the delays before the cancels: `CANCEL_SEED=<seed> npm test -- test/domain/crawl/cancelled` repeats a run.
 */
const SEED = Number(process.env.CANCEL_SEED ?? randomInt(2 ** 32));

describe('a crawl that is cancelled', () => {
  let web: MemorySite;

  beforeAll(async () => {
    const pages = PAGES.map((path) => [path, htmlPage(path, `Something about ${path} alone.`)] as const);
    web = memorySite({ '/': htmlPage('Start', 'Where everything begins.', PAGES), ...Object.fromEntries(pages) });
  });

  const deps = (index: PageIndex = pageIndex) => crawlDeps({ pageIndex: index });
  async function started() {
    const site = await newSite(web.origin);
    const { jobId } = await startCrawl(
      { siteId: site.siteId, overrides: { maxPages: 500 } },
      { ...site, plan: 'enterprise' },
      { table, queue, clock, newId },
    );
    return { ...site, jobId };
  }

  /** The pages of a site according to its list, its count, its last job and the index. */
  async function views({ siteId, jobId }: { readonly siteId: string; readonly jobId: string }) {
    const job = (await readJob(jobId, table)) as CrawlJob;
    const site = await readSite(siteId, table);
    const { items: rows } = await registeredPages(siteId, 1, { limit: 1000 }, table);
    const urls = await jobPages(job, { outcome: 'indexed', limit: 1000 }, table);
    const { items: found } = await pageIndex.find({ siteId, generation: 1 }, { text: '', limit: 1000 });
    const listed = rows.map(({ url }) => url).sort();
    expect(rows.filter(({ pending }) => pending)).toEqual([]);
    expect(urls.items.map(({ url }) => url).sort()).toEqual(listed);
    expect(found.map(({ url }) => url).sort()).toEqual(listed);
    expect([site?.state.pageCount, job.indexed, job.answered]).toEqual([listed.length, listed.length, listed.length]);
    return { job, listed };
  }

  it(`agrees with list, count and index about its pages (CANCEL_SEED=${SEED})`, async () => {
    const random = new SeededRandom(SEED);
    // Most cancels then come between registry and index.
    const slow: PageIndex = {
      ...pageIndex,
      put: (entries, options) => delay(random.int(0, 100)).then(() => pageIndex.put(entries, options)),
    };
    for (let cancel = 0; cancel < CANCELS; cancel++) {
      const job = await started();
      const slice = runSlice({ ...job, slice: 0 }, deps(slow));
      await delay(random.int(0, MAX_MS));
      await cancelCrawl(job.jobId, job, { table, queue, clock });
      await slice;
      await views(job);
    }
  }, 60_000);

  it('counts the pages that it has registered and not indexed yet', async () => {
    const job = await started();
    const cancelling: PageIndex = {
      ...pageIndex,
      async put(entries, options) {
        await cancelCrawl(job.jobId, job, { table, queue, clock });
        await pageIndex.put(entries, options);
      },
    };
    await runSlice({ ...job, slice: 0 }, deps(cancelling));
    const { job: ended, listed } = await views(job);
    expect(ended).toMatchObject({ status: 'cancelled', indexed: 1 });
    expect(listed).toEqual([`${web.origin}/`]);
  });
});
