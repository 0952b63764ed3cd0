import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CrawlJob } from '../../../../lambdas/domain/crawl/jobs/job.ts';
import { type JobPagesQuery, jobPages } from '../../../../lambdas/domain/crawl/jobs/job-pages.ts';
import type { JobStatus } from '../../../../lambdas/domain/crawl/jobs/outcomes.ts';
import {
  type Ending,
  enqueueChanges,
  finishChanges,
  type QueuedUrl,
} from '../../../../lambdas/domain/crawl/jobs/url-rows.ts';
import { newId } from '../../../../lambdas/runtime/system.ts';
import { urlHash } from '../../../../lambdas/text/web/url.ts';
import { memoryTable } from '../../../support/memory/table.ts';

const table = memoryTable();

const ENDINGS: readonly (Ending | undefined)[] = [
  { outcome: 'indexed', status: 200 },
  { outcome: 'skipped', reason: 'robots' },
  { outcome: 'skipped', reason: 'noindex', status: 200 },
  { outcome: 'gone', reason: '404', status: 404 },
  { outcome: 'failed', reason: 'timeout' },
  undefined, // still queued
];
const EACH = 5;

describe('the URLs of a job', () => {
  const jobId = newId();
  const counts = { discovered: 6 * EACH, indexed: EACH, skipped: 2 * EACH, gone: EACH, failed: EACH };
  const job = (status: JobStatus): CrawlJob =>
    ({ jobId, status, ...counts, unchanged: 0, duplicate: 0 }) as unknown as CrawlJob;
  const urlOf = (kind: number, n: number) => `https://example.org/${kind}/${n}`;

  beforeAll(async () => {
    for (const [kind, ending] of ENDINGS.entries()) {
      for (let n = 0; n < EACH; n++) {
        const queued: QueuedUrl = { url: urlOf(kind, n), urlHash: urlHash(urlOf(kind, n)), depth: n };
        await table.write(enqueueChanges(jobId, queued));
        if (ending) await table.write(finishChanges(jobId, queued, ending));
      }
    }
    await table.write(enqueueChanges(newId(), { url: 'https://example.org/of/another', depth: 0 }));
  });

  async function all(status: JobStatus, query: Partial<JobPagesQuery>, limit: number): Promise<readonly string[]> {
    const urls: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await jobPages(job(status), { ...query, limit, cursor }, table);
      expect(page.items.length).toBeLessThanOrEqual(limit);
      urls.push(...page.items.map(({ url }) => url));
      cursor = page.next;
    } while (cursor !== undefined);
    return urls.sort();
  }
  const of = (...kinds: readonly number[]) =>
    kinds.flatMap((kind) => Array.from({ length: EACH }, (_, n) => urlOf(kind, n))).sort();

  const queries: readonly (readonly [JobStatus, Partial<JobPagesQuery>, readonly number[]])[] = [
    ['running', {}, [0, 1, 2, 3, 4, 5]],
    ['completed', {}, [0, 1, 2, 3, 4, 5]],
    ['running', { outcome: 'indexed' }, [0]],
    ['running', { outcome: 'skipped' }, [1, 2]],
    ['completed', { outcome: 'skipped' }, [1, 2, 5]],
    ['cancelled', { outcome: 'skipped' }, [1, 2, 5]],
    ['completed', { outcome: 'skipped', reason: 'robots' }, [1]],
    ['completed', { outcome: 'skipped', reason: 'over_limit' }, [5]],
    ['cancelled', { outcome: 'skipped', reason: 'cancelled' }, [5]],
    ['cancelled', { outcome: 'skipped', reason: 'over_limit' }, []],
    ['running', { reason: 'cancelled' }, []],
    ['completed', { reason: 'over_limit' }, [5]],
    ['completed', { reason: '404' }, [3]],
    ['completed', { outcome: 'failed', reason: 'timeout' }, [4]],
    ['completed', { outcome: 'unchanged' }, []],
  ];
  it.each(queries)(
    'of a %s job, for %j, are the kinds %j, each once at any page size',
    async (status, query, kinds) => {
      for (const limit of [1, 3, EACH, 1000]) expect(await all(status, query, limit)).toEqual(of(...kinds));
    },
  );

  it('a URL has no outcome while queued, and one when the job has ended', async () => {
    const query = { url: urlOf(5, 0), limit: 1 };
    const [waiting] = (await jobPages(job('running'), query, table)).items;
    expect(waiting).not.toHaveProperty('outcome');
    expect((await jobPages(job('completed'), query, table)).items).toMatchObject([
      { outcome: 'skipped', reason: 'over_limit' },
    ]);
    expect((await jobPages(job('failed'), query, table)).items).toMatchObject([
      { outcome: 'skipped', reason: 'over_limit' },
    ]);
    expect((await jobPages(job('cancelled'), query, table)).items).toMatchObject([
      { outcome: 'skipped', reason: 'cancelled' },
    ]);
  });

  it('the target of a duplicate is the last page of its chain of duplicates', async () => {
    const [first, second, third] = ['first', 'second', 'third'].map((name) => `https://example.org/same/${name}`);
    const own = newId();
    const end = async (url: string, ending: Ending) => {
      const queued: QueuedUrl = { url, urlHash: urlHash(url), depth: 0 };
      await table.write(enqueueChanges(own, queued));
      await table.write(finishChanges(own, queued, ending));
    };
    await end(`${first}`, { outcome: 'duplicate', target: `${second}`, textHash: 'x' });
    await end(`${second}`, { outcome: 'duplicate', target: `${third}`, textHash: 'x' });
    await end(`${third}`, { outcome: 'indexed' });
    const { items } = await jobPages({ jobId: own, status: 'cancelled' } as CrawlJob, { limit: 1000 }, table);
    const targets = Object.fromEntries(items.map(({ url, target }) => [url, target]));
    expect(targets).toEqual({ [`${first}`]: third, [`${second}`]: third, [`${third}`]: undefined });
  });

  it('a URL is found by any of its spellings', async () => {
    const find = async (url: string) =>
      (await jobPages(job('completed'), { url, limit: 1 }, table)).items.map((row) => row.url);
    expect(await find('HTTPS://EXAMPLE.org:443/3/../3/0?utm_source=x#part')).toEqual([urlOf(3, 0)]);
    for (const url of ['https://example.org/of/another', 'https://example.org/', 'no address', ''])
      expect(await find(url)).toEqual([]);
  });
});
