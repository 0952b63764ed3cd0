import { setImmediate as immediately } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type CrawlJob, jobKey, readJob, urlMark } from '../../../lambdas/domain/crawl/jobs/job.ts';
import { failDeadSlice, reviveJobs } from '../../../lambdas/domain/crawl/jobs/recover-jobs.ts';
import { LostLease, Slice } from '../../../lambdas/domain/crawl/jobs/slice.ts';
import { startCrawl } from '../../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { postponeChanges } from '../../../lambdas/domain/crawl/jobs/url-rows.ts';
import { runSlice } from '../../../lambdas/domain/crawl/run-slice.ts';
import { UnavailableError } from '../../../lambdas/domain/errors.ts';
import { createOrganisation } from '../../../lambdas/domain/sites/access/organisation.ts';
import { createSite } from '../../../lambdas/domain/sites/manage-sites.ts';
import { readSite } from '../../../lambdas/domain/sites/site.ts';
import { siteStatus } from '../../../lambdas/domain/sites/site-status.ts';
import { newId } from '../../../lambdas/runtime/system.ts';
import { urlHash } from '../../../lambdas/text/web/url.ts';
import { crawlDeps } from '../../support/crawl-here.ts';
import { pageIndex, queue, table } from '../../support/memory/stores.ts';
import { type MemorySite, memorySite } from '../../support/memory/web.ts';
import { htmlPage } from '../../support/web-site.ts';

describe('a slice', () => {
  let web: MemorySite;
  let now = Date.now();
  const clock = () => now;

  beforeAll(async () => {
    web = memorySite({
      '/': htmlPage('Start', 'Where everything begins.', ['/one', '/two']),
      '/one': htmlPage('One', 'The first page after the start.'),
      '/two': htmlPage('Two', 'The second page after the start.'),
    });
  });

  const deps = () => crawlDeps({ clock });

  async function newJob(): Promise<CrawlJob> {
    const orgId = newId();
    await createOrganisation({ orgId, name: 'Test', plan: 'enterprise' }, { table, clock });
    const caller = { orgId, plan: 'enterprise' } as const;
    const { settings } = await createSite({ name: 'Test', baseUrl: web.origin }, caller, { table, clock, newId });
    const { jobId } = await startCrawl({ siteId: settings.siteId, overrides: {} }, caller, {
      table,
      queue,
      clock,
      newId,
    });
    return job(jobId);
  }

  async function job(jobId: string): Promise<CrawlJob> {
    const found = await readJob(jobId, table);
    if (!found) throw new Error('no such job');
    return found;
  }

  it('crawls a site and frees it', async () => {
    const { jobId, siteId } = await newJob();
    await runSlice({ siteId, jobId, slice: 0 }, deps());
    expect(await job(jobId)).toMatchObject({
      status: 'completed',
      indexed: 3,
      discovered: 3,
      answered: 3,
      inFlight: [],
    });
    const site = await readSite(siteId, table);
    expect(site && siteStatus(site.state)).toBe('ready');
    expect(site?.state).toMatchObject({ pageCount: 3, runningJobId: null, languages: ['en'] });
  });

  it('drops duplicate and late messages', async () => {
    const { jobId, siteId } = await newJob();
    await runSlice({ siteId, jobId, slice: 0 }, deps());
    const before = await job(jobId);
    await runSlice({ siteId, jobId, slice: 0 }, deps());
    await runSlice({ siteId, jobId, slice: 7 }, deps());
    expect(await job(jobId)).toEqual(before);
  });

  it('refuses the writes of a worker that was overtaken', async () => {
    const { jobId, siteId } = await newJob();
    const first = await Slice.claim({ siteId, jobId, slice: 0 }, deps());
    const second = await Slice.claim({ siteId, jobId, slice: 0 }, deps());
    expect(second?.job.fence).toBe((first?.job.fence ?? 0) + 1);
    await expect(first?.renew()).rejects.toThrow(LostLease);
    await second?.renew();
  });

  it('tries a poison URL alone, and gives it up after three crashes', async () => {
    const { jobId, siteId, baseUrl } = await newJob();
    const start = urlMark(urlHash(baseUrl));
    await table.update(jobKey(jobId), { set: { inFlight: [start] } });
    for (let crash = 0; crash < 4; crash++) {
      const claimed = await Slice.claim({ siteId, jobId, slice: 0 }, deps());
      expect(claimed?.job.poisonUrls).toEqual([start]);
      expect(claimed?.job.crashes[start] ?? 0).toBe(crash);
      await table.update(jobKey(jobId), { set: { inFlight: [start] } }); // the worker dies alone with it
    }
    await table.update(jobKey(jobId), { set: { inFlight: [] } });
    await runSlice({ siteId, jobId, slice: 0 }, deps());
    await runSlice({ siteId, jobId, slice: 1 }, deps());
    expect(await job(jobId)).toMatchObject({ status: 'failed', failed: 1, discovered: 1 });
  });

  it('a dead-letter slice fails its job and frees the site', async () => {
    const { jobId, siteId } = await newJob();
    await failDeadSlice({ siteId, jobId, slice: 3 }, { table, queue, clock }); // not the current slice
    expect((await job(jobId)).status).toBe('pending');
    for (let claim = 0; claim < 5; claim++) await Slice.claim({ siteId, jobId, slice: 0 }, deps());
    await failDeadSlice({ siteId, jobId, slice: 0 }, { table, queue, clock });
    expect(await job(jobId)).toMatchObject({ status: 'failed', endReason: 'internal_error' });
    const site = await readSite(siteId, table);
    expect(site?.state.runningJobId).toBeNull();
    expect(site && siteStatus(site.state)).toBe('error');
  });

  it('a dead-letter slice that was never claimed because the table was down is sent again', async () => {
    const { jobId, siteId } = await newJob();
    await failDeadSlice({ siteId, jobId, slice: 0 }, { table, queue, clock });
    expect(await job(jobId)).toMatchObject({ status: 'pending', slice: 1 });
    await runSlice({ siteId, jobId, slice: 1 }, deps());
    expect(await job(jobId)).toMatchObject({ status: 'completed' });
  });

  it('does not fetch a postponed URL early, even if it was in flight at a crash', async () => {
    const { jobId, siteId, baseUrl } = await newJob();
    await Slice.claim({ siteId, jobId, slice: 0 }, deps());
    const queued = { url: baseUrl, urlHash: urlHash(baseUrl), depth: 0, isStart: true };
    const next = { tries: 1, notBefore: now + 100_000 };
    expect(await table.write(postponeChanges(jobId, queued, next))).toEqual([]);
    await table.update(jobKey(jobId), { set: { inFlight: [queued.urlHash] } });
    web.requests.length = 0;
    const sleep = async (ms: number) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      now += ms;
    };
    await runSlice({ siteId, jobId, slice: 0 }, { ...deps(), sleep });
    expect(web.requests).not.toContain('/');
    now = next.notBefore;
    await runSlice({ siteId, jobId, slice: 1 }, deps());
    expect(await job(jobId)).toMatchObject({ status: 'completed', indexed: 3 });
  });

  it('a slice of an overdue job fails while the index is down, instead of handing over', async () => {
    const { jobId, siteId, baseUrl } = await newJob();
    await Slice.claim({ siteId, jobId, slice: 0 }, deps());
    await table.update(jobKey(jobId), { set: { inFlight: [urlHash(baseUrl)] } });
    const down = () => Promise.reject(new UnavailableError('down'));
    const trying = () =>
      runSlice(
        { siteId, jobId, slice: 0 },
        {
          ...deps(),
          pageIndex: { ...pageIndex, put: down, refresh: down },
          sleep: async (ms) => {
            await immediately(); // lets other callbacks run
            now += ms;
          },
        },
      );
    await table.update(jobKey(jobId), { set: { workedMs: 7 * 3600_000 } });
    await expect(trying()).rejects.toThrow(UnavailableError);
    expect(await job(jobId)).toMatchObject({ status: 'running', slice: 0 });
  });

  it('is sent again by the watchdog when its lease has expired', async () => {
    const { jobId, siteId } = await newJob();
    const [sent] = await received(siteId);
    expect(sent).toEqual({ siteId, jobId, slice: 0 });
    await reviveJobs({ table, queue, clock, trustLeases: true });
    expect(await received(siteId)).toEqual([]);
    await Slice.claim({ siteId, jobId, slice: 0 }, deps());
    await table.update(jobKey(jobId), { set: { slice: 1 } }); // handed over, but the message was lost
    now += 3600_000;
    await reviveJobs({ table, queue, clock, trustLeases: true });
    expect(await received(siteId)).toEqual([{ siteId, jobId, slice: 1 }]);
  });

  /** Receives all visible crawl messages and returns those of a site. */
  async function received(siteId: string): Promise<readonly unknown[]> {
    const found: { readonly siteId: string }[] = [];
    for (;;) {
      const deliveries = await queue.receive('crawl', { max: 10, waitSeconds: 0 });
      if (deliveries.length === 0) return found.filter((message) => message.siteId === siteId);
      for (const { body, receipt } of deliveries) {
        found.push(JSON.parse(body));
        await queue.acknowledge('crawl', receipt);
      }
    }
  }
});
