import { describe, expect, it } from '@jest/globals';
import { type CrawlJob, jobKey } from '../../../../lambdas/domain/crawl/jobs/job.ts';
import { endJob, jobEnd } from '../../../../lambdas/domain/crawl/jobs/job-end.ts';
import {
  enqueueChanges,
  type JobUrl,
  jobUrlKey,
  postponeChanges,
} from '../../../../lambdas/domain/crawl/jobs/url-rows.ts';
import { stateKey } from '../../../../lambdas/domain/sites/site.ts';
import { newId } from '../../../../lambdas/runtime/system.ts';
import { urlHash } from '../../../../lambdas/text/web/url.ts';
import { memoryTable } from '../../../support/memory/table.ts';

const table = memoryTable();

const BASE = 'https://docs.example/';

describe('the end of a job', () => {
  /** The end of a job with this many answered pages and this outcome of its start page. */
  async function endOf(answered: number, start: Partial<JobUrl>, endReason: 'done' | 'limit' = 'done') {
    const job = { jobId: newId(), baseUrl: BASE } as CrawlJob;
    await table.putMany([
      { ...jobKey(job.jobId), answered },
      { ...jobUrlKey(job.jobId, urlHash(BASE)), url: BASE, depth: 0, ...start },
    ]);
    return jobEnd(job, endReason, table);
  }

  it('a job is completed if one page answered, whatever the outcome of the start page', async () => {
    expect(await endOf(1, { outcome: 'failed', reason: 'timeout' })).toEqual({
      status: 'completed',
      endReason: 'done',
    });
    expect(await endOf(7, { outcome: 'indexed' }, 'limit')).toEqual({ status: 'completed', endReason: 'limit' });
  });

  it.each([
    [{ indexed: 2, unchanged: 0 }, { foundPages: true }],
    [{ indexed: 0, unchanged: 1 }, { foundPages: true }],
    [{ indexed: 0, unchanged: 0 }, {}],
  ])('says whether the job found a page: %j', async (counters, found) => {
    const job = { jobId: newId(), baseUrl: BASE } as CrawlJob;
    await table.putMany([{ ...jobKey(job.jobId), answered: 3, ...counters }]);
    expect(await jobEnd(job, 'done', table)).toEqual({ status: 'completed', endReason: 'done', ...found });
  });

  it.each([
    [{ outcome: 'skipped', reason: 'robots' }, 'robots', 'robots.txt forbids'],
    [{ outcome: 'gone', reason: '404', status: 404 }, 'http_status', 'answers 404'],
    [{ outcome: 'failed', reason: 'http_status', status: 503 }, 'http_status', 'answers 503'],
    [{ outcome: 'failed', reason: 'dns' }, 'dns', 'docs.example does not resolve'],
    [{ outcome: 'failed', reason: 'timeout' }, 'timeout', 'docs.example does not answer in time'],
    [{ outcome: 'failed', reason: 'connection' }, 'connection', 'docs.example refuses'],
    [{ outcome: 'failed', reason: 'private_address' }, 'private_address', 'CRAWL_ALLOW_HOSTS'],
    [{ outcome: 'failed', reason: 'too_large' }, 'too_large', 'docs.example'],
  ] as const)(
    'is failed without an answer, and names the reason of the start page: %j',
    async (start, endReason, words) => {
      const end = await endOf(0, start as Partial<JobUrl>);
      expect(end).toMatchObject({ status: 'failed', endReason, error: expect.stringContaining(words) });
      expect('error' in end && end.error).toMatch(/^\S.*\.$/);
    },
  );

  it.each([undefined, { tries: 1, notBefore: 5 }])(
    'gives a start page without outcome the reason of the failure, in the same write: %j',
    async (next) => {
      const [jobId, siteId] = [newId(), newId()];
      const job = { jobId, siteId, baseUrl: BASE } as CrawlJob;
      const start = { url: BASE, depth: 0, isStart: true };
      const counters = { discovered: 1, answered: 0, gone: 0, failed: 0, indexed: 0, unchanged: 0 };
      await table.write([
        { put: { ...jobKey(jobId), ...counters } },
        { put: { ...stateKey(siteId), runningJobId: jobId } },
        ...enqueueChanges(jobId, start),
      ]);
      if (next) await table.write(postponeChanges(jobId, { ...start, urlHash: urlHash(BASE) }, next));
      expect(await endJob(job, await jobEnd(job, 'limit', table), {}, { table, clock: () => 7000 })).toBe(true);
      const { items } = await table.query(`JOB#${jobId}`, { limit: 10 });
      expect(items.map(({ sk }) => sk)).toEqual([
        'JOB',
        `OUTCOME#failed#unavailable#${urlHash(BASE)}`,
        `URL#${urlHash(BASE)}`,
      ]);
      expect(items[0]).toMatchObject({ status: 'failed', failed: 1, 'failed:unavailable': 1, completedAt: 7 });
      expect(items[2]).toMatchObject({ outcome: 'failed', reason: 'unavailable' });
      expect(await table.get(stateKey(siteId))).toMatchObject({ runningJobId: null });
    },
  );

  it('a job is failed even if it has no rows', async () => {
    const job = { jobId: newId(), baseUrl: BASE } as CrawlJob;
    expect(await jobEnd(job, 'done', table)).toMatchObject({ status: 'failed', endReason: 'unavailable' });
  });
});
