import { defined } from '../../../text/defined.ts';
import { listedUrl } from '../../../text/web/listed-url.ts';
import { normaliseUrl, originOf, pathOf } from '../../../text/web/url.ts';
import { type Clock, epochSeconds } from '../../clock.ts';
import { AppError, NotFoundError } from '../../errors.ts';
import { retryWhenOvertaken } from '../../optimistic-retry.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Change, Item, Table } from '../../ports/table.ts';
import type { Caller } from '../../sites/access/api-key.ts';
import { QUOTAS } from '../../sites/access/plan.ts';
import { assertSettingsFit } from '../../sites/assert-settings-fit.ts';
import { crawlUrls, urlParts } from '../../sites/crawl-urls.ts';
import { assertPatternsReach } from '../../sites/pattern-check.ts';
import { configWarnings, shownWarnings, type Warnings } from '../../sites/settings-warnings.ts';
import {
  crawlerConfigOf,
  effectiveBaseUrl,
  ownSite,
  type SiteRecord,
  settingsKey,
  singleUrlsVersion,
  stateKey,
} from '../../sites/site.ts';
import type { CrawlerConfig } from '../../sites/site-settings.ts';
import { type CrawlJob, jobKey, jobPointerKey, moved, runningKey, sendSlice } from './job.ts';
import { enqueueChanges, LISTED } from './url-rows.ts';

export type Overrides = { readonly [Field in keyof CrawlerConfig]?: CrawlerConfig[Field] | undefined };

export const NO_OUTCOMES = {
  indexed: 0,
  unchanged: 0,
  duplicate: 0,
  skipped: 0,
  gone: 0,
  failed: 0,
  answered: 0,
  fetches: 0,
};
/** Number of seconds for which the watchdog ignores a new job. */
export const FIRST_SLICE_SECONDS = 60;
/** Longer than any job exists, so that items of a job that could not be started expire. */
const LISTED_SECONDS = 14 * 24 * 3600;
/** Number of tries, because the site may be purged in between. */
const ATTEMPTS = 5;

type CrawlStart = {
  readonly siteId: string;
  readonly overrides: Overrides;
  readonly dryRun?: boolean;
  readonly alsoWritten?: readonly Change[];
};
type StartDeps = { readonly table: Table; readonly clock: Clock; readonly newId: () => string };

export type StartedCrawl = { readonly jobId: string; readonly warnings: Warnings };
type CreatedJob = { readonly job: CrawlJob; readonly warnings: Warnings };

/** Writes the job, its start page and the site's lock in one write, then sends the first slice. */
export async function startCrawl(
  start: CrawlStart,
  caller: Pick<Caller, 'orgId' | 'plan'>,
  { queue, ...deps }: StartDeps & { readonly queue: Queue },
): Promise<StartedCrawl> {
  const started = await retryWhenOvertaken(ATTEMPTS, 'other requests keep changing the site: try again', () =>
    createJob(start, caller, deps),
  );
  await sendSlice(started.job, queue);
  return { jobId: started.job.jobId, warnings: started.warnings };
}

/** Returns undefined if the site has changed since it was read. */
async function createJob(
  { siteId, overrides, dryRun = false, alsoWritten = [] }: CrawlStart,
  caller: Pick<Caller, 'orgId' | 'plan'>,
  { table, clock, newId }: StartDeps,
): Promise<CreatedJob | undefined> {
  const site = await ownSite(siteId, caller.orgId, table);
  if (site.state.runningJobId !== null) throw running();
  const { baseUrl } = site.settings;
  await assertPatternsReach(overrides, { baseUrl, part: 'body' });
  const saved = await crawlUrls(siteId, caller, table);
  const jobId = newId();
  const number = (site.state.jobs ?? 0) + 1;
  const now = epochSeconds(clock);
  const ids = { jobId, number, reviewId: newId() };
  const { job, urls, maxPages } = newJob(site, { overrides, saved, dryRun }, caller, ids, now);
  const warnings = await jobWarnings(job, { maxPages, urls });
  const list = listItems(jobId, urls, now);
  await table.putMany(list); // before the job, so that its worker finds them
  const { generation } = job;
  const siteExists = { check: settingsKey(siteId), when: { exists: true } };
  const refused = await table.write([
    siteExists,
    {
      update: stateKey(siteId),
      set: { runningJobId: jobId, jobs: number },
      when: { exists: true, equals: { runningJobId: null, generation, jobs: site.state.jobs ?? null } },
    },
    { put: { ...jobKey(jobId), ...job, ...shownWarnings(warnings) } },
    { put: { ...jobPointerKey(job), jobId, createdAt: now } },
    { put: { ...runningKey(jobId), jobId } },
    ...(job.listedBy ? [] : enqueueChanges(jobId, { url: job.baseUrl, depth: 0, isStart: true })),
    ...alsoWritten,
  ]);
  if (refused.length > 0) await table.removeMany(list);
  if (refused.includes(siteExists)) throw new NotFoundError('Site');
  if (alsoWritten.some((change) => refused.includes(change))) throw running();
  return refused.length === 0 ? { job, warnings } : undefined;
}

/** Returns the new job, its URL list (empty for a crawl of the whole site), and `maxPages` before the plan's quota. */
function newJob(
  site: SiteRecord,
  {
    overrides,
    saved,
    dryRun,
  }: { readonly overrides: Overrides; readonly saved: readonly string[]; readonly dryRun: boolean },
  { plan }: Pick<Caller, 'plan'>,
  ids: Required<Pick<CrawlJob, 'jobId' | 'number' | 'reviewId'>>,
  now: number,
): { readonly job: CrawlJob; readonly urls: readonly string[]; readonly maxPages: number } {
  const { settings, state } = site;
  const given = { ...crawlerConfigOf(site), ...overrides } as CrawlerConfig; // overrides have no undefined fields
  const { singleUrls = [], ...config } = given;
  assertSettingsFit(config);
  const listedBy = singleUrls.length > 0 ? 'singleUrls' : saved.length > 0 ? 'crawlUrls' : undefined;
  const usesUp = !dryRun && listedBy === 'singleUrls' && overrides.singleUrls === undefined;
  const pageQuota = QUOTAS[plan].pagesPerSite;
  const job: CrawlJob = {
    ...ids,
    siteId: settings.siteId,
    orgId: settings.orgId,
    generation: state.generation,
    status: 'pending',
    createdAt: now,
    slice: 0,
    fence: 0,
    leaseUntil: now + FIRST_SLICE_SECONDS,
    inFlight: [],
    poisonUrls: [],
    crashes: {},
    ...NO_OUTCOMES,
    discovered: listedBy ? 0 : 1,
    config: { ...config, maxPages: Math.min(config.maxPages, pageQuota) },
    pageQuota,
    ...baseOf(site, listedBy !== undefined),
    ...(listedBy && { listedBy }),
    ...(dryRun && { dryRun }),
    ...(usesUp && { consumes: singleUrlsVersion(settings) }),
    ...defined({ privateHost: settings.privateHost }),
  };
  const listed = listedBy === 'singleUrls' ? singleUrls : saved;
  const urls = listed.flatMap((written) => urlNow(written, settings.baseUrl, job) ?? []);
  return { job, urls, maxPages: config.maxPages };
}

/**
 * Returns the base URL of a new job. A crawl of the whole site starts at the base URL in the settings, to see where it
 * redirects today.
 */
export function baseOf(site: SiteRecord, isListed: boolean): Pick<CrawlJob, 'baseUrl' | 'movedFrom'> {
  const baseUrl = normaliseUrl(site.settings.baseUrl);
  if (baseUrl === undefined)
    throw new AppError('invalid_request', `The base URL ${site.settings.baseUrl} cannot be crawled`);
  const effective = isListed ? (effectiveBaseUrl(site) ?? baseUrl) : baseUrl;
  return originOf(effective) === originOf(baseUrl) ? { baseUrl } : moved({ baseUrl }, effective);
}

export function listItems(jobId: string, urls: readonly string[], now: number): readonly Item[] {
  return urlParts(urls).map((part, index) => ({
    pk: `JOB#${jobId}`,
    sk: LISTED + String(index).padStart(4, '0'),
    urls: part,
    expiresAt: now + LISTED_SECONDS,
  }));
}

/** Returns a listed URL, moved to the site's present origin if it was listed on the origin in the settings. */
function urlNow(written: string, siteUrl: string, { baseUrl, movedFrom }: CrawlJob): string | undefined {
  const url = listedUrl(written, siteUrl);
  return url !== undefined && originOf(url) === movedFrom ? `${originOf(baseUrl)}${pathOf(url)}` : url;
}

const running = (): AppError =>
  new AppError('crawl_running', 'A crawl of this site is running. Wait for it to end, or cancel it.');

/**
 * Returns warnings about settings of a new job that have no effect or not the expected one. `maxPages` is the requested
 * value; `urls` is the job's URL list.
 */
async function jobWarnings(
  { config, baseUrl }: Pick<CrawlJob, 'config' | 'baseUrl'>,
  { maxPages, urls }: { readonly maxPages: number; readonly urls: readonly string[] },
): Promise<Warnings> {
  const origin = originOf(baseUrl);
  const off = urls.filter((url) => originOf(url) !== origin).length;
  return [
    ...(await configWarnings(config, baseUrl)),
    ...(maxPages > config.maxPages
      ? [`maxPages: the plan allows ${config.maxPages} pages of a site, so the crawl reads no more of the ${maxPages}`]
      : []),
    ...(off > 0
      ? [`${off} of the ${urls.length} listed URLs are not on ${origin}: they are skipped as out_of_scope`]
      : []),
  ];
}
