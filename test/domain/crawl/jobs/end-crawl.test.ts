import { describe, expect, it } from '@jest/globals';
import { cancelCrawl } from '../../../../lambdas/domain/crawl/jobs/end-crawl.ts';
import { readJob } from '../../../../lambdas/domain/crawl/jobs/job.ts';
import { failDeadSlice } from '../../../../lambdas/domain/crawl/jobs/recover-jobs.ts';
import { startCrawl } from '../../../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { UnavailableError } from '../../../../lambdas/domain/errors.ts';
import type { Queue } from '../../../../lambdas/domain/ports/queue.ts';
import { newId } from '../../../../lambdas/runtime/system.ts';
import { newSite } from '../../../support/crawl-here.ts';
import { queue, table } from '../../../support/memory/stores.ts';

const clock = Date.now;

describe('the end of a crawl that was cancelled or failed', () => {
  async function started() {
    const site = await newSite('https://www.example/');
    const deps = { table, queue, clock, newId };
    const { jobId } = await startCrawl({ siteId: site.siteId, overrides: {} }, { ...site, plan: 'enterprise' }, deps);
    return { ...site, jobId };
  }
  /** The real queue, and the sites whose clean-up was asked for. */
  function watched(): { readonly watchedQueue: Queue; readonly cleanedUp: string[] } {
    const cleanedUp: string[] = [];
    const send: Queue['send'] = async (name, message) => {
      if (name === 'clean-up') cleanedUp.push(JSON.parse(message.body).siteId);
      await queue.send(name, message);
    };
    return { watchedQueue: { ...queue, send }, cleanedUp };
  }

  it('a cancelled crawl requests a clean-up of the site', async () => {
    const { siteId, orgId, jobId } = await started();
    const { watchedQueue, cleanedUp } = watched();
    await cancelCrawl(jobId, { orgId }, { table, queue: watchedQueue, clock });
    expect(cleanedUp).toEqual([siteId]);
  });

  it('a failed crawl requests a clean-up of the site', async () => {
    const { siteId, jobId } = await started();
    const { watchedQueue, cleanedUp } = watched();
    await table.update({ pk: `JOB#${jobId}`, sk: 'JOB' }, { set: { claims: 5 } });
    await failDeadSlice({ siteId, jobId, slice: 0 }, { table, queue: watchedQueue, clock });
    expect(await readJob(jobId, table)).toMatchObject({ status: 'failed' });
    expect(cleanedUp).toEqual([siteId]);
  });

  it('the end of a crawl does not depend on the queue', async () => {
    const { orgId, jobId } = await started();
    const send = async () => {
      throw new UnavailableError('the queue is unavailable');
    };
    const job = await cancelCrawl(jobId, { orgId }, { table, queue: { ...queue, send }, clock });
    expect(job).toMatchObject({ status: 'cancelled' });
  });
});
