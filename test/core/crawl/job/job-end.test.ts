import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { table } from '#adapters/table';
import { type JobUrl, jobUrlKey } from '../../../../lambdas/core/crawl/frontier/frontier-rows.ts';
import { type CrawlJob, jobKey } from '../../../../lambdas/core/crawl/job/job.ts';
import { jobEnd } from '../../../../lambdas/core/crawl/job/job-end.ts';
import { urlHash } from '../../../../lambdas/core/web/url.ts';
import { newId } from '../../../../lambdas/runtime/system.ts';
import { openLocalStore } from '../../../support/local-store.ts';

const BASE = 'https://docs.example/';

describe('the end of a job', () => {
  let close: () => Promise<void>;

  beforeAll(async () => {
    close = await openLocalStore();
  });
  afterAll(() => close());

  /** The end of a job with this many answered pages and this outcome of its start page. */
  async function endOf(answered: number, start: Partial<JobUrl>, endReason: 'done' | 'limit' = 'done') {
    const job = { jobId: newId(), baseUrl: BASE } as CrawlJob;
    await table.putMany([
      { ...jobKey(job.jobId), answered },
      { ...jobUrlKey(job.jobId, urlHash(BASE)), url: BASE, depth: 0, ...start },
    ]);
    return jobEnd(job, endReason, table);
  }

  it('is completed if one page answered, whatever the outcome of the start page', async () => {
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

  it('is failed even if the job has no rows', async () => {
    const job = { jobId: newId(), baseUrl: BASE } as CrawlJob;
    expect(await jobEnd(job, 'done', table)).toMatchObject({ status: 'failed', endReason: 'unavailable' });
  });
});
