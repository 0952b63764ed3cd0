import * as z from 'zod';
import { JOB_STATUSES, OUTCOME_NAMES, OUTCOMES, REASONS } from '../domain/crawl/jobs/outcomes.ts';
import { JobParams, SiteParams } from './parameters.ts';
import { Count, EpochSeconds, warnings } from './response-fields.ts';

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
    jobId: JobParams.shape.jobId,
    siteId: SiteParams.shape.siteId,
    status: JobStatus.describe('`pending` until a worker begins it; the last three are ends'),
    createdAt: EpochSeconds.describe('when it was started by a call or a schedule, in epoch seconds'),
    startedAt: EpochSeconds.optional().describe('when a worker began it, in epoch seconds'),
    completedAt: EpochSeconds.nullable().describe('when it ended, in epoch seconds; null until then'),
    pagesDiscovered: Count.describe('all URLs found; at the end the sum of pagesProcessed, pagesSkipped, pagesErrored'),
    pagesCrawled: Count.describe('URLs that answered 200 or 304, whatever their outcome'),
    pagesProcessed: Count.describe('pages with the outcome indexed or unchanged'),
    pagesSkipped: Count.describe('URLs with the outcome skipped or duplicate, and those not visited before the end'),
    pagesErrored: Count.describe('URLs with the outcome gone or failed'),
    errors: Count.describe('equal to pagesErrored'),
    outcomes: JobOutcomes.optional().describe('absent for jobs of an earlier version'),
    dryRun: z
      .object({
        added: Count.describe('pages that would be new in the index'),
        changed: Count.describe('pages that would be indexed again'),
        unchanged: Count.describe('pages that would stay as they are'),
        embeddingTokens: Count.describe('tokens of texts that have no vector yet, estimated'),
        gone: Count.optional().describe('pages that would be removed, or held; absent unless the whole site was seen'),
        gonePages: z
          .array(z.object({ url: z.string().describe('the page'), reason: z.string().describe('why it is gone') }))
          .optional()
          .describe('the first 50 of them'),
      })
      .optional()
      .describe('present for a dry run'),
    pagesRemoved: Count.describe('pages that were removed from the index because they are gone'),
    nearDuplicates: Count.optional().describe('indexed pages with almost the text of another: nearDuplicateOf'),
    pagesHeld: Count.optional().describe('pages whose removal waits for a review'),
    reviewId: z.uuid().optional().describe('the review of the pages held'),
    currentUrl: z.string().optional().describe('the URL that was handled last, while the job runs'),
    taskId: z.string().describe('the task of the worker'),
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
    url: z.string().describe('as it was fetched'),
    outcome: z.enum(OUTCOME_NAMES).optional().describe('absent while the URL is queued'),
    reason: z.enum(REASONS).optional().describe('why; absent for outcomes without reasons'),
    status: z.int().optional().describe('the HTTP status, if the server responded'),
    depth: Count.describe('links from the start page'),
    foundOn: z.string().optional().describe('the page with the link; absent for the start page and listed URLs'),
    target: z.string().optional().describe('the page that this URL duplicates, redirects to or names as canonical'),
    nearDuplicateOf: z
      .string()
      .optional()
      .describe('of an indexed page, at the end of the job: another one that has at least about 80 % of its text'),
  })
  .meta({ id: 'JobPage' });
