import * as z from 'zod';
import { isReasonOf, JOB_STATUSES, OUTCOME_NAMES, OUTCOMES, REASONS } from '../core/crawl/job/outcomes.ts';
import { FREQUENCIES } from '../core/schedules/schedule.ts';
import { CrawlerConfig } from '../core/sites/site-settings.ts';
import { MAX_URL_LENGTH } from '../core/web/url.ts';
import { JobParams, pageQuery, SiteParams } from './parameters.ts';
import { Count, EpochSeconds, paging, Success, warnings } from './response-fields.ts';
import { member, type Route } from './route.ts';

/** Unknown fields are refused, as in the settings: a misspelt one would otherwise have no effect. */
export const CrawlOverrides = z.strictObject(CrawlerConfig.partial().shape).meta({ id: 'CrawlOverrides' });

const JobStatus = z.enum(JOB_STATUSES);

const byReason = <Name extends string>(reasons: readonly Name[]) =>
  z.partialRecord(z.enum(reasons), Count).describe('URLs by reason; reasons without a URL are absent');

/** Once the job has ended, all numbers together are `pagesDiscovered`. */
const JobOutcomes = z
  .object({
    indexed: Count.describe('new or changed pages'),
    unchanged: Count.describe('pages that were indexed before and are still valid'),
    duplicate: Count.describe('pages with the text of another page'),
    skipped: byReason(OUTCOMES.skipped),
    gone: byReason(OUTCOMES.gone),
    failed: byReason(OUTCOMES.failed),
  })
  .meta({
    id: 'JobOutcomes',
    description:
      'The URLs of the job by outcome and reason. Those still queued are in none while the job runs; at its end they ' +
      'are skipped, as over_limit or cancelled, and all numbers together are pagesDiscovered',
  });

export const CrawlJob = z
  .object({
    jobId: z.uuid(),
    siteId: z.uuid(),
    status: JobStatus,
    createdAt: EpochSeconds,
    startedAt: EpochSeconds.optional(),
    completedAt: EpochSeconds.nullable(),
    pagesDiscovered: Count.describe('all URLs found; at the end the sum of pagesProcessed, pagesSkipped, pagesErrored'),
    pagesCrawled: Count.describe('URLs that answered 200 or 304, whatever their outcome'),
    pagesProcessed: Count.describe('pages with the outcome indexed or unchanged'),
    pagesSkipped: Count.describe('URLs with the outcome skipped or duplicate, and those not visited before the end'),
    pagesErrored: Count.describe('URLs with the outcome gone or failed'),
    errors: Count.describe('equal to pagesErrored'),
    outcomes: JobOutcomes.optional().describe('absent for jobs of an earlier version'),
    pagesRemoved: Count.describe('pages that were removed from the index because they are gone'),
    pagesHeld: Count.optional().describe('pages whose removal waits for a review'),
    reviewId: z.uuid().optional().describe('the review of the pages held'),
    currentUrl: z.string().optional(),
    taskId: z.string(),
    ...warnings,
    endReason: z.string().optional().describe('done, limit, cancelled, or the code of the failure'),
    error: z.string().optional().describe('a message about the failure'),
    pagesAvailable: z
      .boolean()
      .optional()
      .describe('false if its URLs can no longer be listed: those of the newest ten jobs of a site are kept'),
  })
  .meta({ id: 'CrawlJob' });

export const JobPage = z
  .object({
    url: z.string(),
    outcome: z.enum(OUTCOME_NAMES).optional().describe('absent while the URL is queued'),
    reason: z.enum(REASONS).optional(),
    status: z.int().optional().describe('the HTTP status, if the server responded'),
    depth: Count,
    foundOn: z.string().optional().describe('the page with the link; absent for the start page and listed URLs'),
    target: z.string().optional().describe('the page that this URL duplicates, redirects to or names as canonical'),
  })
  .meta({ id: 'JobPage' });

const JobPagesQuery = z
  .object({
    outcome: z.enum(OUTCOME_NAMES).optional(),
    reason: z.enum(REASONS).optional(),
    url: z.string().min(1).max(MAX_URL_LENGTH).optional().describe('only this URL'),
    ...pageQuery({ maxLimit: 200 }).shape,
  })
  .refine(({ outcome, reason }) => outcome === undefined || reason === undefined || isReasonOf(outcome, reason), {
    path: ['reason'],
    message: 'is not a reason of this outcome',
  });

const CrawlScope = z
  .object({
    urls: z.array(z.string()),
    count: Count,
    warning: z.string().optional().describe('present if URLs are not on the origin of the base URL, which has changed'),
  })
  .meta({ id: 'CrawlScope' });

const ReplacedCrawlScope = CrawlScope.extend({
  rejected: Count.describe('URLs dropped because they are not on the origin of the site'),
  warning: z.string().optional().describe('present if a URL was rejected'),
}).meta({ id: 'ReplacedCrawlScope' });

const CrawlSchedule = z
  .object({
    id: z.uuid(),
    frequency: z.enum(FREQUENCIES),
    enabled: z.boolean().describe('false while the plan does not include the frequency'),
    createdAt: EpochSeconds,
    nextStartAt: EpochSeconds,
    lastStartedAt: EpochSeconds.optional(),
    skippedStarts: Count.describe('starts at which no crawl could start'),
    lastSkipReason: z.string().optional().describe('an error code, for example crawl_running'),
  })
  .meta({ id: 'CrawlSchedule' });

export const crawl = {
  'start-crawl': {
    method: 'post',
    paths: ['/sites/{siteId}/crawl'],
    summary: 'Start a crawl; the body overrides settings of the site for this job',
    access: member,
    params: SiteParams,
    body: CrawlOverrides.optional(),
    status: 201,
    response: z.object({ success: z.boolean(), jobId: z.uuid(), message: z.string(), ...warnings }),
    errors: ['crawl_running'],
  },
  'list-site-jobs': {
    method: 'get',
    paths: ['/sites/{siteId}/jobs'],
    summary: 'List the crawl jobs of a site, newest first',
    access: member,
    params: SiteParams,
    query: pageQuery({ maxLimit: 100 }),
    status: 200,
    response: z.object({ jobs: z.array(CrawlJob), ...paging }),
  },
  'get-job': {
    method: 'get',
    paths: ['/jobs/{jobId}'],
    summary: 'Get a crawl job and its progress',
    access: member,
    params: JobParams,
    status: 200,
    response: CrawlJob,
  },
  'cancel-job': {
    method: 'delete',
    paths: ['/jobs/{jobId}'],
    summary: 'Cancel a crawl job; a job that has ended stays unchanged',
    access: member,
    params: JobParams,
    status: 200,
    response: CrawlJob,
  },
  'list-job-pages': {
    method: 'get',
    paths: ['/jobs/{jobId}/pages'],
    summary: 'List the URLs of a crawl job with outcome and reason',
    access: member,
    params: JobParams,
    query: JobPagesQuery,
    status: 200,
    response: z.object({ pages: z.array(JobPage), ...paging }),
  },
  'get-crawl-urls': {
    method: 'get',
    paths: ['/sites/{siteId}/crawl-urls'],
    summary: 'Get the saved crawl scope; if it is empty, crawls visit the whole site',
    access: member,
    params: SiteParams,
    status: 200,
    response: CrawlScope,
  },
  'replace-crawl-urls': {
    method: 'put',
    paths: ['/sites/{siteId}/crawl-urls'],
    summary: 'Replace the saved crawl scope: later crawls visit only these URLs',
    access: member,
    params: SiteParams,
    body: z.object({ urls: z.array(z.string()).max(10_000) }),
    status: 200,
    response: ReplacedCrawlScope,
    errors: ['address_unverified'],
  },
  'clear-crawl-urls': {
    method: 'delete',
    paths: ['/sites/{siteId}/crawl-urls'],
    summary: 'Clear the saved crawl scope',
    access: member,
    params: SiteParams,
    status: 200,
    response: Success,
  },
  'list-schedules': {
    method: 'get',
    paths: ['/sites/{siteId}/schedules'],
    summary: 'List the crawl schedules of a site: at most one',
    access: member,
    params: SiteParams,
    status: 200,
    response: z.object({ schedules: z.array(CrawlSchedule).max(1) }),
  },
  'set-schedule': {
    method: 'post',
    paths: ['/sites/{siteId}/schedules'],
    summary: 'Set the crawl schedule of a site; the first crawl starts after one interval',
    access: member,
    params: SiteParams,
    body: z.object({ frequency: z.enum(FREQUENCIES) }),
    status: 201,
    response: CrawlSchedule,
    errors: ['plan_required'],
  },
  'delete-schedule': {
    method: 'delete',
    paths: ['/sites/{siteId}/schedules'],
    summary: 'Delete the crawl schedule of a site',
    access: member,
    params: SiteParams,
    status: 200,
    response: Success,
  },
} as const satisfies Record<string, Route>;
