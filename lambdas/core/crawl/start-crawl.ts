import type { Queue, Table } from '../../adapters/ports.ts';
import type { Caller } from '../access/api-key.ts';
import { QUOTAS } from '../access/plan.ts';
import { type Clock, epochSeconds } from '../clock.ts';
import { AppError, NotFoundError } from '../errors.ts';
import { ownSite, settingsKey, stateKey } from '../sites/site.ts';
import type { CrawlerConfig } from '../sites/site-settings.ts';
import { normaliseUrl } from '../web/url.ts';
import { endJob } from './end-job.ts';
import { meeting } from './frontier.ts';
import { type CrawlJob, hasEnded, jobKey, jobPointerKey, ownJob, runningKey, UNENDED } from './job.ts';
import { sendSlice } from './lease.ts';

const NONE = { indexed: 0, unchanged: 0, duplicate: 0, skipped: 0, gone: 0, failed: 0, answered: 0, fetches: 0 };
/** The place of the check in the write. */
const SETTINGS = 0;
/** Until then the watchdog leaves a new job alone. */
const FIRST_SLICE_SECONDS = 60;

type Overrides = { readonly [Field in keyof CrawlerConfig]?: CrawlerConfig[Field] | undefined };

/** Writes the job, its start page and the site's lock in one write, then sends the first slice. Answers the job's id. */
export async function startCrawl(
  { siteId, overrides }: { readonly siteId: string; readonly overrides: Overrides },
  { orgId, plan }: Pick<Caller, 'orgId' | 'plan'>,
  {
    table,
    queue,
    clock,
    newId,
  }: { readonly table: Table; readonly queue: Queue; readonly clock: Clock; readonly newId: () => string },
): Promise<string> {
  const { settings, state } = await ownSite(siteId, orgId, table);
  const url = normaliseUrl(settings.baseUrl);
  if (url === undefined) throw new AppError('invalid_request', `The base URL ${settings.baseUrl} cannot be crawled`);
  const jobId = newId();
  const now = epochSeconds(clock);
  const config = { ...settings.crawlerConfig, ...overrides } as CrawlerConfig; // what is not overridden has no key
  const job: CrawlJob = {
    jobId,
    siteId,
    orgId,
    status: 'pending',
    config: { ...config, maxPages: Math.min(config.maxPages, QUOTAS[plan].pagesPerSite) },
    baseUrl: url,
    ...(settings.privateHost !== undefined && { privateHost: settings.privateHost }),
    generation: state.generation,
    createdAt: now,
    slice: 0,
    fence: 0,
    leaseUntil: now + FIRST_SLICE_SECONDS,
    inFlight: [],
    suspects: [],
    deaths: {},
    ...NONE,
    discovered: 1,
  };
  const refused = await table.write([
    { check: settingsKey(siteId), when: { exists: true } },
    {
      update: stateKey(siteId),
      set: { runningJobId: jobId },
      when: { exists: true, equals: { runningJobId: null, generation: state.generation } },
    },
    { put: { ...jobKey(jobId), ...job } },
    { put: { ...jobPointerKey(siteId, jobId), createdAt: now } },
    { put: { ...runningKey(jobId), jobId } },
    ...meeting(jobId, { url, depth: 0 }, config.maxDepth),
  ]);
  if (refused.includes(SETTINGS)) throw new NotFoundError('Site');
  if (refused.length > 0)
    throw new AppError('crawl_running', 'A crawl of this site is running: wait for its end or cancel it');
  await sendSlice({ siteId, jobId, slice: 0 }, queue);
  return jobId;
}

/** Ends a job for good and frees its site; one that has ended is answered as it is. */
export async function cancelCrawl(
  jobId: string,
  { orgId }: Pick<Caller, 'orgId'>,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<CrawlJob> {
  const job = await ownJob(jobId, orgId, table);
  if (!hasEnded(job)) {
    await endJob(
      job,
      { status: 'cancelled', endReason: 'cancelled' },
      { equals: { status: UNENDED } },
      { table, clock },
    );
  }
  return ownJob(jobId, orgId, table);
}
