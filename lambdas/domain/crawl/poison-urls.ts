import { hasCome } from '../clock.ts';
import { UnavailableError } from '../errors.ts';
import { expandBatch, prepareBatch } from './commit/prepare-batch.ts';
import { writeBatch } from './commit/write-batch.ts';
import { storedPages } from './fetch/stored-pages.ts';
import { type Fetched, fetchPage, hasPage, readPage } from './fetch/visit.ts';
import type { Visit } from './fetch/visit-result.ts';
import { LONGEST_RETRY_AFTER_MS, urlMark } from './jobs/job.ts';
import type { QueuedUrl } from './jobs/url-rows.ts';
import type { Crawl } from './open-crawl.ts';

/** The worker may die this often alone with a URL before the URL is given up. */
const MAX_CRASHES = 3;
/** A slice that was claimed this often has died of the URL that it tries first, whatever it did with it. */
const MAX_CLAIMS = 20;
/** Pause between tries of a URL while a service is unavailable. */
const BACK_OFF_MS = 30_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Tries one URL that was in flight at a crash, with no other beside it: if the worker dies again, this URL caused it.
 * Returns the poison URLs that are left for the next slices, or undefined if none is due.
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
    await sleep(BACK_OFF_MS); // the service is to blame, not the URL
    return job.poisonUrls;
  }
}

/** Some have their outcome from before the crash, and postponed ones are not due. */
async function dueUrls({ slice: { job, clock }, frontier }: Crawl): Promise<readonly QueuedUrl[]> {
  const found = await Promise.all(job.poisonUrls.map((mark) => frontier.find(mark)));
  return found
    .filter((url) => url !== undefined)
    .filter(({ notBefore = 0 }) => hasCome(notBefore, clock(), LONGEST_RETRY_AFTER_MS));
}

/** The site's delay, or the rest of its last Retry-After, of which one slice waits for 60 seconds at most. */
const pauseBefore = ({ slice: { pauseMs }, spacingMs }: Crawl): number =>
  Math.max(spacingMs, Math.min(pauseMs, LONGEST_PAUSE_MS));

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
 * Only while the page is read, it counts as in flight: waiting for a server kills no worker. Of all slices of this
 * process one reads such a page at a time, so that the death is not blamed on the page of another.
 */
async function readPageAlone(fetched: Fetched, crawl: Crawl): Promise<Visit> {
  const { slice } = crawl;
  const endTurn = await crawl.readAlone();
  try {
    await slice.renew({ inFlight: [fetched.queued.urlHash] });
    return await readPage(fetched, crawl);
  } finally {
    await slice.renew({ inFlight: [] }).finally(endTurn); // it has been read: it is well
  }
}
