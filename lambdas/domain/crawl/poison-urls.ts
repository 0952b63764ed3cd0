import { isDue } from '../clock.ts';
import { UnavailableError } from '../errors.ts';
import { expandBatch, prepareBatch } from './commit/prepare-batch.ts';
import { writeBatch } from './commit/write-batch.ts';
import { storedPages } from './fetch/stored-pages.ts';
import { type Fetched, fetchPage, hasPage, readPage } from './fetch/visit.ts';
import type { Visit } from './fetch/visit-result.ts';
import { MAX_RETRY_AFTER_MS, urlMark } from './jobs/job.ts';
import type { QueuedUrl } from './jobs/url-rows.ts';
import type { Crawl } from './open-crawl.ts';

/** Number of times that the worker may die alone with a URL before the URL is given up. */
const MAX_CRASHES = 3;
/** A slice with more claims died because of the URL that it tries first, whatever the cause. */
const MAX_CLAIMS = 20;
/** Pause between tries of a URL while a service is unavailable. */
const BACK_OFF_MS = 30_000;
const MAX_PAUSE_MS = 60_000;

/**
 * Tries one URL that was in flight at a crash, alone: if the worker dies again, this URL caused it. Returns the poison
 * URLs left for the next slices, or undefined if none is due.
 */
export async function tryPoisonUrl(crawl: Crawl): Promise<readonly string[] | undefined> {
  const { job, sleep, isOverdue } = crawl.slice;
  if (job.poisonUrls.length === 0 || job.answered >= job.config.maxPages || isOverdue) return undefined;
  try {
    const [first, ...others] = await dueUrls(crawl);
    if (!first) return undefined;
    await sleep(pauseBefore(crawl));
    await crawl.slice.renew(); // throws if the lease was lost during the pause
    const visit = await visitAlone(first, crawl);
    const expanded = await expandBatch([visit], crawl);
    await writeBatch(await prepareBatch(expanded, crawl), crawl);
    return others.map(({ urlHash }) => urlHash);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    await sleep(BACK_OFF_MS); // the service failed, not the URL
    return job.poisonUrls;
  }
}

/** Returns the poison URLs that are due. Some already had their outcome before the crash. */
async function dueUrls({ slice: { job, clock }, frontier }: Crawl): Promise<readonly QueuedUrl[]> {
  const found = await Promise.all(job.poisonUrls.map((mark) => frontier.find(mark)));
  return found
    .filter((url) => url !== undefined)
    .filter(({ notBefore = 0 }) => isDue(notBefore, clock(), MAX_RETRY_AFTER_MS));
}

/** Returns the site's delay, or the rest of its last Retry-After, of which one slice waits at most 60 seconds. */
const pauseBefore = ({ slice: { pauseMs }, spacingMs }: Crawl): number =>
  Math.max(spacingMs, Math.min(pauseMs, MAX_PAUSE_MS));

async function visitAlone(queued: QueuedUrl, crawl: Crawl): Promise<Visit> {
  const { job, table } = crawl.slice;
  if ((job.crashes[urlMark(queued.urlHash)] ?? 0) >= MAX_CRASHES || (job.claims ?? 0) > MAX_CLAIMS)
    return { queued, fetched: false, answered: false, found: [], ending: { outcome: 'failed', reason: 'gave_up' } };
  const stored = await storedPages([queued], job, table);
  const fetched = await fetchPage(queued, stored.get(queued.urlHash), crawl);
  const visit = hasPage(fetched) ? await readPageAlone(fetched, crawl) : await readPage(fetched, crawl);
  crawl.refusals.note(visit);
  return visit;
}

/**
 * Counts the page as in flight only while it is read, because waiting for a server kills no worker. One slice of a
 * process at a time reads such a page, so that a crash is not blamed on the page of another.
 */
async function readPageAlone(fetched: Fetched, crawl: Crawl): Promise<Visit> {
  const { slice } = crawl;
  const endTurn = await crawl.soloRead();
  try {
    await slice.renew({ inFlight: [fetched.queued.urlHash] });
    return await readPage(fetched, crawl);
  } finally {
    await slice.renew({ inFlight: [] }).finally(endTurn); // read without a crash: not a poison URL
  }
}
