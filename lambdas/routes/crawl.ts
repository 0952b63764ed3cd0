import * as z from 'zod';
import { isReasonOf, OUTCOME_NAMES, REASONS } from '../domain/crawl/jobs/outcomes.ts';
import { FREQUENCIES } from '../domain/crawl/schedules/schedule.ts';
import { CrawlerConfig } from '../domain/sites/site-settings.ts';
import { MAX_URL_LENGTH } from '../text/web/url.ts';
import { CrawlJob, JobPage } from './job-response.ts';
import { JobParams, pageQuery, SiteParams } from './parameters.ts';
import { Count, EpochSeconds, paging, Success, warnings } from './response-fields.ts';
import { member, type Route } from './route.ts';

/** Refuses unknown fields, as the settings do: a misspelt field would otherwise have no effect. */
export const CrawlOverrides = z
  .strictObject({
    ...CrawlerConfig.partial().shape,
    dryRun: z
      .boolean()
      .optional()
      .describe('only find out what a crawl would add, change and remove: the index stays as it is'),
  })
  .meta({ id: 'CrawlOverrides' });

const StartedCrawl = Success.extend({
  jobId: JobParams.shape.jobId,
  message: z.string().describe('the same for people'),
  ...warnings,
}).meta({ id: 'StartedCrawl' });

const CrawlJobList = z
  .object({ jobs: z.array(CrawlJob).describe('newest first'), ...paging })
  .meta({ id: 'CrawlJobList' });

const JobPagesQuery = z
  .object({
    outcome: z.enum(OUTCOME_NAMES).optional().describe('only URLs with this outcome'),
    reason: z.enum(REASONS).optional().describe('only URLs with this reason'),
    url: z.string().min(1).max(MAX_URL_LENGTH).optional().describe('only this URL'),
    ...pageQuery({ maxLimit: 200 }).shape,
  })
  .refine(({ outcome, reason }) => outcome === undefined || reason === undefined || isReasonOf(outcome, reason), {
    path: ['reason'],
    message: 'is not a reason of this outcome',
  });

const JobPageList = z
  .object({ pages: z.array(JobPage).describe('in no particular order, each URL once'), ...paging })
  .meta({ id: 'JobPageList' });

const CrawlScope = z
  .object({
    urls: z.array(z.string()).describe('the only URLs that a crawl visits; empty: the whole site'),
    count: Count.describe('the length of `urls`'),
    warning: z.string().optional().describe('present if URLs are not on the origin of the base URL, which has changed'),
  })
  .meta({ id: 'CrawlScope' });

const ReplaceCrawlScopeRequest = z
  .object({
    urls: z.array(z.string()).max(10_000).describe('URLs on the origin of the site; an empty list clears the scope'),
  })
  .meta({ id: 'ReplaceCrawlScopeRequest' });

const ReplacedCrawlScope = CrawlScope.extend({
  rejected: Count.describe('URLs dropped because they are not on the origin of the site'),
  warning: z.string().optional().describe('present if a URL was rejected'),
}).meta({ id: 'ReplacedCrawlScope' });

const Frequency = z
  .enum(FREQUENCIES)
  .describe(
    'how often a crawl starts: each 3,600, 86,400 or 604,800 seconds. ' +
      'The plan pro includes no `hourly`, the plan free none',
  );

const CrawlSchedule = z
  .object({
    id: z.uuid().describe('the id of the schedule'),
    frequency: Frequency,
    enabled: z.boolean().describe('false while the plan does not include the frequency'),
    createdAt: EpochSeconds.describe('when it was set, in epoch seconds'),
    nextStartAt: EpochSeconds.describe('when the next crawl starts, in epoch seconds'),
    lastStartedAt: EpochSeconds.optional().describe('when a crawl was last started, in epoch seconds'),
    skippedStarts: Count.describe('starts at which no crawl could start'),
    lastSkipReason: z.string().optional().describe('an error code, for example crawl_running'),
  })
  .meta({ id: 'CrawlSchedule' });

const CrawlScheduleList = z
  .object({ schedules: z.array(CrawlSchedule).max(1).describe('one or none') })
  .meta({ id: 'CrawlScheduleList' });

const SetScheduleRequest = z.object({ frequency: Frequency }).meta({ id: 'SetScheduleRequest' });

export const crawl = {
  'start-crawl': {
    method: 'post',
    paths: ['/sites/{siteId}/crawl'],
    summary: 'Start a crawl; the body overrides settings of the site for this job',
    uses: ['table'],
    sends: ['crawl', 'render'],
    access: member,
    params: SiteParams,
    body: CrawlOverrides.optional(),
    status: 201,
    response: StartedCrawl,
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
    response: CrawlJobList,
  },
  'get-job': {
    method: 'get',
    paths: ['/jobs/{jobId}', '/sites/{siteId}/crawl/{jobId}'],
    summary: 'Get a crawl job and its progress',
    access: member,
    params: JobParams.extend({ siteId: SiteParams.shape.siteId.optional() }),
    status: 200,
    response: CrawlJob,
  },
  'cancel-job': {
    method: 'delete',
    paths: ['/jobs/{jobId}'],
    summary: 'Cancel a crawl job; a job that has ended stays unchanged',
    uses: ['table'],
    sends: ['clean-up', 'webhooks'],
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
    response: JobPageList,
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
    uses: ['table'],
    access: member,
    params: SiteParams,
    body: ReplaceCrawlScopeRequest,
    status: 200,
    response: ReplacedCrawlScope,
    errors: ['address_unverified'],
  },
  'clear-crawl-urls': {
    method: 'delete',
    paths: ['/sites/{siteId}/crawl-urls'],
    summary: 'Clear the saved crawl scope',
    uses: ['table'],
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
    response: CrawlScheduleList,
  },
  'set-schedule': {
    method: 'post',
    paths: ['/sites/{siteId}/schedules'],
    summary: 'Set the crawl schedule of a site; the first crawl starts after one interval',
    uses: ['table', 'timetable'],
    access: member,
    params: SiteParams,
    body: SetScheduleRequest,
    status: 201,
    response: CrawlSchedule,
    errors: ['plan_required'],
  },
  'delete-schedule': {
    method: 'delete',
    paths: ['/sites/{siteId}/schedules'],
    summary: 'Delete the crawl schedule of a site',
    uses: ['table', 'timetable'],
    access: member,
    params: SiteParams,
    status: 200,
    response: Success,
  },
} as const satisfies Record<string, Route>;
