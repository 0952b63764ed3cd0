import { describe, expect, it } from '@jest/globals';
import type { CrawlJob } from '../../../lambdas/domain/crawl/jobs/job.ts';
import { NEW_CRAWLER_CONFIG } from '../../../lambdas/domain/sites/site-settings.ts';
import { adviceOf, durationWords, endWords, progressWords, startWords } from '../../../local/server/crawl-words.ts';

const counts = { indexed: 0, unchanged: 0, duplicate: 0, skipped: 0, gone: 0, failed: 0, answered: 0, fetches: 0 };

const jobWith = (fields: object): CrawlJob =>
  ({
    jobId: 'j',
    siteId: 's',
    orgId: 'o',
    status: 'running',
    baseUrl: 'https://docs.example/',
    ...counts,
    discovered: 1,
    config: NEW_CRAWLER_CONFIG,
    generation: 0,
    createdAt: 1000,
    slice: 0,
    fence: 0,
    leaseUntil: 0,
    inFlight: [],
    poisonUrls: [],
    crashes: {},
    ...fields,
  }) as CrawlJob;

const limited = jobWith({
  status: 'completed',
  endReason: 'limit',
  completedAt: 1125,
  discovered: 1149,
  answered: 100,
  fetches: 108,
  indexed: 97,
  duplicate: 2,
  skipped: 8,
  'skipped:excluded': 6,
  'skipped:too_deep': 2,
  gone: 1,
  'gone:404': 1,
});

describe('the texts about a crawl', () => {
  it('the first line of a crawl states its limits', () => {
    expect(startWords('Docs', jobWith({}))).toBe(
      'Crawl of Docs (https://docs.example/) started: at most 100 pages, 3 links deep',
    );
  });

  it('the progress line has pages, rate, queue, failures and the time to the limit', () => {
    const job = jobWith({ discovered: 1300, answered: 412, indexed: 400, failed: 2, config: { maxPages: 5000 } });
    expect(progressWords('Docs', job, 38.2)).toBe(
      'Docs: 412 pages · 38/s · 898 queued · 2 failed · 2 min to the limit of 5,000',
    );
    expect(progressWords('Docs', job, 0)).toBe('Docs: 412 pages · 0.0/s · 898 queued · 2 failed');
  });

  it.each([
    [0.2, '1 s'],
    [89, '89 s'],
    [600, '10 min'],
    [9000, '2.5 h'],
  ])('%d seconds are %s', (seconds, words) => expect(durationWords(seconds)).toBe(words));

  it('the last line of a crawl has its URLs by outcome and reason, the most frequent first', () => {
    expect(endWords('Docs', limited)).toBe(
      'Crawl of Docs completed after 2 min: 97 indexed, 2 duplicate, ' +
        '1,049 skipped (1,041 over_limit, 6 excluded, 2 too_deep), 1 gone (1 404)',
    );
    expect(endWords('Docs', jobWith({ status: 'cancelled', completedAt: 1000, discovered: 0 }))).toBe(
      'Crawl of Docs cancelled after 0 s: no URL was visited',
    );
  });

  it('the advice is about a limit, about depth and about a failure', () => {
    expect(adviceOf(limited)).toEqual([
      'The limit of 100 pages was reached; 1,041 URLs left out. Raise crawlerConfig.maxPages.',
      '2 URLs deeper than 3 links. Raise crawlerConfig.maxDepth.',
    ]);
    const byRequests = { ...limited, answered: 40, fetches: 500 };
    expect(adviceOf(byRequests)[0]).toMatch(/^The limit of 500 requests was reached/);
    expect(adviceOf(jobWith({ status: 'failed', error: 'The site does not answer.' }))).toEqual([
      'The site does not answer.',
    ]);
    expect(adviceOf(jobWith({ status: 'completed', endReason: 'done' }))).toEqual([]);
  });
});
