import { setTimeout as delay } from 'node:timers/promises';
import { builtinEmbedder } from '../../lambdas/connectors/embedder/builtin.ts';
import { type CrawlJob, hasEnded, readJob } from '../../lambdas/domain/crawl/jobs/job.ts';
import { jobPages } from '../../lambdas/domain/crawl/jobs/job-pages.ts';
import { Slice } from '../../lambdas/domain/crawl/jobs/slice.ts';
import { type Overrides, startCrawl } from '../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { type CrawlDeps, runSlice } from '../../lambdas/domain/crawl/run-slice.ts';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import { createOrganisation } from '../../lambdas/domain/sites/access/organisation.ts';
import { createSite } from '../../lambdas/domain/sites/manage-sites.ts';
import { newId } from '../../lambdas/runtime/system.ts';
import { extractPage } from '../../lambdas/text/extraction/extract-page.ts';
import { pageIndex, pageStore, queue, table } from './memory/stores.ts';
import { virtualTime } from './memory/time.ts';
import { memoryFetcher } from './memory/web.ts';

const plan = 'enterprise';
export const embedder = builtinEmbedder();
await embedder.isWord?.('word'); // reads its table now, since virtual time would pass otherwise

type OwnedSite = { readonly siteId: string; readonly orgId: string };

export type Crawled = {
  readonly job: CrawlJob;
  readonly ends: Readonly<Record<string, string>>;
};

export async function newSite(baseUrl: string, store: Table = table): Promise<OwnedSite> {
  const orgId = newId();
  const deps = { table: store, clock: Date.now, newId };
  await createOrganisation({ orgId, name: 'Test', plan }, deps);
  const { settings } = await createSite({ name: 'Test', baseUrl }, { orgId, plan }, deps);
  return { siteId: settings.siteId, orgId };
}

/** The time of one test file, in which all of its crawls sleep. */
export const time = virtualTime();

/** The system's time, for crawls whose batches are as large as it makes them. Sleeps are cut to 20 ms. */
export const systemTime = { clock: Date.now, sleep: (ms: number) => delay(Math.min(ms, 20)) };

/** The dependencies of a slice, in memory. */
export const crawlDeps = (over: Partial<CrawlDeps> = {}): CrawlDeps => ({
  table,
  queue,
  pageStore,
  pageIndex,
  embedder,
  ...time,
  halt: new AbortController().signal,
  pageReader: { read: async (page) => extractPage(page) },
  openFetcher: memoryFetcher,
  ...over,
});

/** Creates a site, starts a crawl and claims its first slice, with the start page queued. */
export async function claimedSlice(baseUrl: string, overrides: Overrides = {}): Promise<Slice> {
  const { siteId, orgId } = await newSite(baseUrl);
  const deps = { ...crawlDeps(), newId };
  const { jobId } = await startCrawl({ siteId, overrides }, { orgId, plan }, deps);
  const slice = await Slice.claim({ siteId, jobId, slice: 0 }, deps);
  if (!slice) throw new Error('the slice cannot be claimed');
  return slice;
}

/** Crawls a site of `newSite` in this process. */
export async function crawlHere(
  { siteId, orgId }: OwnedSite,
  {
    overrides = {},
    dryRun = false,
    ...over
  }: { readonly overrides?: Overrides; readonly dryRun?: boolean } & Partial<CrawlDeps> = {},
): Promise<Crawled> {
  const deps = crawlDeps(over);
  const { jobId } = await startCrawl({ siteId, overrides, dryRun }, { orgId, plan }, { ...deps, newId });
  for (;;) {
    const job = await readJob(jobId, deps.table);
    if (!job) throw new Error('no such job');
    if (hasEnded(job)) return { job, ends: await endsOf(job, deps.table) };
    await runSlice({ siteId, jobId, slice: job.slice }, deps);
  }
}

async function endsOf(job: CrawlJob, store: Table): Promise<Record<string, string>> {
  const { items } = await jobPages(job, { limit: 500 }, store);
  return Object.fromEntries(
    items.map(({ url, outcome, reason, status }) => [url, [outcome, reason, status].filter(Boolean).join(' ')]),
  );
}
