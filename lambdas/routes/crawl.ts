import * as z from 'zod';
import { isReasonOf, OUTCOME_NAMES, REASONS } from '../core/crawl/job/outcomes.ts';
import { CrawlerConfig } from '../core/sites/site-settings.ts';
import { MAX_URL_LENGTH } from '../core/web/url.ts';
import { Count, EpochSeconds, paging, Success } from './answers.ts';
import { JobParams, pagedBy, SiteParams } from './parameters.ts';
import type { Route } from './route.ts';

/** Strict, as the settings are: a misspelt field would silently change what is crawled. */
export const CrawlOverrides = z.strictObject(CrawlerConfig.partial().shape).meta({ id: 'CrawlOverrides' });

export const JobStatus = z.enum(['pending', 'running', 'completed', 'failed', 'cancelled']);

export const CrawlJob = z
  .object({
    jobId: z.uuid(),
    siteId: z.uuid(),
    status: JobStatus,
    createdAt: EpochSeconds,
    startedAt: EpochSeconds.optional(),
    completedAt: EpochSeconds.nullable(),
    pagesDiscovered: Count.describe('all URLs that were met'),
    pagesCrawled: Count.describe('answered with 200 or 304'),
    pagesProcessed: Count.describe('indexed and unchanged'),
    pagesSkipped: Count.describe('skipped and duplicate'),
    pagesErrored: Count.describe('gone and failed'),
    errors: Count.describe('the same as pagesErrored'),
    currentUrl: z.string().optional(),
    taskId: z.string(),
    endReason: z.string().optional().describe('done, limit, cancelled, or the code of what failed'),
    error: z.string().optional().describe('what failed, for people'),
  })
  .meta({ id: 'CrawlJob' });

export const JobPage = z
  .object({
    url: z.string(),
    outcome: z.enum(OUTCOME_NAMES).optional().describe('absent while the URL waits'),
    reason: z.enum(REASONS).optional(),
    status: z.int().optional().describe('of the answer, where there was one'),
    depth: Count,
    foundOn: z.string().optional().describe('the page with the link; absent for the start page and listed URLs'),
    target: z.string().optional().describe('the page that this one duplicates, redirects to or names as canonical'),
  })
  .meta({ id: 'JobPage' });

const JobPagesQuery = z
  .object({
    outcome: z.enum(OUTCOME_NAMES).optional(),
    reason: z.enum(REASONS).optional(),
    url: z.string().min(1).max(MAX_URL_LENGTH).optional().describe('exactly this URL'),
    ...pagedBy({ most: 200 }),
  })
  .refine(({ outcome, reason }) => outcome === undefined || reason === undefined || isReasonOf(outcome, reason), {
    path: ['reason'],
    message: 'is not a reason of this outcome',
  });

const CrawlScope = z.object({ urls: z.array(z.string()), count: Count }).meta({ id: 'CrawlScope' });

const ReplacedCrawlScope = CrawlScope.extend({
  rejected: Count.describe('URLs dropped because they are not of the origin of the site'),
  warning: z.string().optional().describe('only when something was rejected'),
}).meta({ id: 'ReplacedCrawlScope' });

export const Frequency = z.enum(['hourly', 'daily', 'weekly']);
const CrawlSchedule = z
  .object({ id: z.uuid(), frequency: Frequency, enabled: z.boolean() })
  .meta({ id: 'CrawlSchedule' });

export const crawl = {
  'start-crawl': {
    method: 'post',
    paths: ['/sites/{siteId}/crawl'],
    summary: 'Starts a crawl; the fields of the body override the settings of the site for this job',
    access: { role: 'member' },
    params: SiteParams,
    body: CrawlOverrides.optional(),
    status: 201,
    response: z.object({ success: z.boolean(), jobId: z.uuid(), message: z.string() }),
    errors: ['crawl_running'],
  },
  'list-site-jobs': {
    method: 'get',
    paths: ['/sites/{siteId}/jobs'],
    summary: 'The crawl jobs of a site, newest first',
    access: { role: 'member' },
    params: SiteParams,
    query: z.object(pagedBy({ most: 100 })),
    status: 200,
    response: z.object({ jobs: z.array(CrawlJob), ...paging }),
  },
  'get-job': {
    method: 'get',
    paths: ['/jobs/{jobId}'],
    summary: 'A crawl job and how far it is',
    access: { role: 'member' },
    params: JobParams,
    status: 200,
    response: CrawlJob,
  },
  'cancel-job': {
    method: 'delete',
    paths: ['/jobs/{jobId}'],
    summary: 'Cancels a crawl job; one that has ended is returned as it is',
    access: { role: 'member' },
    params: JobParams,
    status: 200,
    response: CrawlJob,
  },
  'list-job-pages': {
    method: 'get',
    paths: ['/jobs/{jobId}/pages'],
    summary: 'Every URL that a crawl job met, with what became of it and why',
    access: { role: 'member' },
    params: JobParams,
    query: JobPagesQuery,
    status: 200,
    response: z.object({ pages: z.array(JobPage), ...paging }),
  },
  'get-crawl-urls': {
    method: 'get',
    paths: ['/sites/{siteId}/crawl-urls'],
    summary: 'The saved crawl scope; an empty one means the whole site',
    access: { role: 'member' },
    params: SiteParams,
    status: 200,
    response: CrawlScope,
  },
  'replace-crawl-urls': {
    method: 'put',
    paths: ['/sites/{siteId}/crawl-urls'],
    summary: 'Replaces the saved crawl scope: the only URLs that later crawls visit',
    access: { role: 'member' },
    params: SiteParams,
    body: z.object({ urls: z.array(z.string()).max(10_000) }),
    status: 200,
    response: ReplacedCrawlScope,
    errors: ['address_unverified'],
  },
  'clear-crawl-urls': {
    method: 'delete',
    paths: ['/sites/{siteId}/crawl-urls'],
    summary: 'Clears the saved crawl scope',
    access: { role: 'member' },
    params: SiteParams,
    status: 200,
    response: Success,
  },
  'list-schedules': {
    method: 'get',
    paths: ['/sites/{siteId}/schedules'],
    summary: 'The crawl schedule of a site, as a list of at most one',
    access: { role: 'member' },
    params: SiteParams,
    status: 200,
    response: z.object({ schedules: z.array(CrawlSchedule).max(1) }),
    pending: true,
  },
  'set-schedule': {
    method: 'post',
    paths: ['/sites/{siteId}/schedules'],
    summary: 'Creates or replaces the crawl schedule of a site; the first run is one interval away',
    access: { role: 'member' },
    params: SiteParams,
    body: z.object({ frequency: Frequency }),
    status: 201,
    response: CrawlSchedule,
    errors: ['plan_required'],
    pending: true,
  },
  'delete-schedule': {
    method: 'delete',
    paths: ['/sites/{siteId}/schedules'],
    summary: 'Deletes the crawl schedule of a site',
    access: { role: 'member' },
    params: SiteParams,
    status: 200,
    response: Success,
    pending: true,
  },
} as const satisfies Record<string, Route>;
