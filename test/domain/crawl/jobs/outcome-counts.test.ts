import { describe, expect, it } from '@jest/globals';
import type { CrawlJob } from '../../../../lambdas/domain/crawl/jobs/job.ts';
import { outcomeCounts, outcomesView } from '../../../../lambdas/domain/crawl/jobs/outcome-counts.ts';

const NONE = { indexed: 0, unchanged: 0, duplicate: 0, skipped: 0, gone: 0, failed: 0 };
const job = (status: CrawlJob['status'], counters: object): CrawlJob =>
  ({ ...NONE, status, discovered: 0, ...counters }) as unknown as CrawlJob;

describe('the counts of a job', () => {
  it('a count rises by outcome and by reason, and falls when an outcome is replaced', () => {
    const endings = [
      { outcome: 'indexed' },
      { outcome: 'skipped', reason: 'noindex' },
      { outcome: 'skipped', reason: 'noindex' },
      { outcome: 'gone', reason: '404' },
    ] as const;
    expect(outcomeCounts(endings)).toEqual({ indexed: 1, skipped: 2, 'skipped:noindex': 2, gone: 1, 'gone:404': 1 });
    expect(outcomeCounts(endings.slice(1, 2), -1)).toEqual({ skipped: -1, 'skipped:noindex': -1 });
    expect(outcomeCounts([])).toEqual({});
  });

  it.each([
    ['running', {}],
    ['completed', { over_limit: 2 }],
    ['failed', { over_limit: 2 }],
    ['cancelled', { cancelled: 2 }],
  ] as const)('show URLs that are queued of a %s job as %j', (status, unvisited) => {
    const shown = outcomesView(
      job(status, { discovered: 6, indexed: 2, skipped: 1, failed: 1, 'skipped:robots': 1, 'failed:dns': 1 }),
    );
    expect(shown).toEqual({
      indexed: 2,
      unchanged: 0,
      duplicate: 0,
      gone: {},
      failed: { dns: 1 },
      skipped: { robots: 1, ...unvisited },
    });
  });

  it('counts are not shown by reason for a job that has not counted them', () => {
    expect(outcomesView(job('completed', { discovered: 1, gone: 1 }))).toBeUndefined();
  });
});
