import { pageIndex } from '#adapters/page-index';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { pageReader } from '../../lambdas/aws/page-reader.ts';
import { builtinEmbedder } from '../../lambdas/connectors/embedder/builtin.ts';
import { httpFetcher } from '../../lambdas/connectors/fetcher/http-fetcher.ts';
import type { Clock } from '../../lambdas/domain/clock.ts';
import type { OpenRenderer } from '../../lambdas/domain/crawl/fetch/rendering.ts';
import { type CrawlJob, hasEnded, readJob } from '../../lambdas/domain/crawl/jobs/job.ts';
import { jobPages } from '../../lambdas/domain/crawl/jobs/job-pages.ts';
import { Slice } from '../../lambdas/domain/crawl/jobs/slice.ts';
import type { Overrides } from '../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { startCrawl } from '../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { runSlice } from '../../lambdas/domain/crawl/run-slice.ts';
import type { Embedder } from '../../lambdas/domain/ports/embedder.ts';
import type { PageFetcher } from '../../lambdas/domain/ports/page-fetcher.ts';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import { createOrganisation } from '../../lambdas/domain/sites/access/organisation.ts';
import { createSite } from '../../lambdas/domain/sites/manage-sites.ts';
import { newId } from '../../lambdas/runtime/system.ts';

const plan = 'enterprise';
const builtin = builtinEmbedder();

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

/** Creates a site, starts a crawl and claims its first slice, with the start page queued. */
export async function claimedSlice(baseUrl: string, overrides: Overrides = {}, store: Table = table): Promise<Slice> {
  const { siteId, orgId } = await newSite(baseUrl);
  const deps = { table: store, queue, clock: Date.now, newId, ...sliceDeps };
  const { jobId } = await startCrawl({ siteId, overrides }, { orgId, plan }, deps);
  const slice = await Slice.claim({ siteId, jobId, slice: 0 }, deps);
  if (!slice) throw new Error('the slice cannot be claimed');
  return slice;
}

/** Crawls a site of `newSite` in this process on the open local store. Sleeps are cut to 20 ms. */
export async function crawlHere(
  { siteId, orgId }: OwnedSite,
  {
    overrides = {},
    dryRun = false,
    clock = Date.now,
    sleep = shortSleep,
    store = table,
    embedder = builtin,
    openRenderer,
    openFetcher = sliceDeps.openFetcher,
  }: {
    readonly overrides?: Overrides;
    readonly dryRun?: boolean;
    readonly clock?: Clock;
    readonly sleep?: (ms: number) => Promise<void>;
    readonly store?: Table;
    readonly embedder?: Embedder;
    readonly openRenderer?: OpenRenderer;
    readonly openFetcher?: () => PageFetcher;
  } = {},
): Promise<Crawled> {
  const start = { table: store, queue, clock, newId };
  const { jobId } = await startCrawl({ siteId, overrides, dryRun }, { orgId, plan }, start);
  for (;;) {
    const job = await readJob(jobId, store);
    if (!job) throw new Error('no such job');
    if (hasEnded(job)) return { job, ends: await endsOf(job, store) };
    const stores = { table: store, queue, pageStore, pageIndex, embedder, clock };
    const deps = { ...stores, ...sliceDeps, sleep, openFetcher, ...(openRenderer && { openRenderer }) };
    await runSlice({ siteId, jobId, slice: job.slice }, deps);
  }
}

const shortSleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, 20)));

/** Time that runs this many times as fast as on the wall. */
export function fastTime(factor: number): { readonly clock: Clock; readonly sleep: (ms: number) => Promise<void> } {
  const start = Date.now();
  return {
    clock: () => start + (Date.now() - start) * factor,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms / factor)),
  };
}

const sliceDeps = {
  sleep: shortSleep,
  halt: new AbortController().signal,
  pageReader,
  openFetcher: () => httpFetcher({ userAgent: 'test', allowHosts: ['127.0.0.1'], connectionsPerHost: 5 }),
};

async function endsOf(job: CrawlJob, store: Table): Promise<Record<string, string>> {
  const { items } = await jobPages(job, { limit: 500 }, store);
  return Object.fromEntries(
    items.map(({ url, outcome, reason, status }) => [url, [outcome, reason, status].filter(Boolean).join(' ')]),
  );
}
