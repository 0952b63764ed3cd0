import * as z from 'zod';
import { FINDING_KINDS } from '../domain/insight/health/finding.ts';
import { SiteParams } from './parameters.ts';
import { Count, EpochSeconds } from './response-fields.ts';
import { member, type Route } from './route.ts';

const Example = z.object({
  url: z.string().describe('the page or URL'),
  title: z.string().optional().describe('of the page'),
  reason: z.string().optional().describe('why it was left out, or does not answer'),
  foundOn: z.string().optional().describe('a page that links to it'),
  leadsTo: z.array(z.string()).optional().describe('where it redirects to, in order'),
});

const Finding = z
  .object({
    kind: z.enum(FINDING_KINDS).describe('what was found'),
    what: z.string().describe('the same in a sentence'),
    advice: z.string().describe('what to do'),
    count: Count.describe('pages or URLs'),
    reasons: z.record(z.string(), Count).optional().describe('how many by reason'),
    examples: z.array(Example).describe('the first ten, of different reasons where there are some'),
  })
  .meta({ id: 'HealthFinding' });

const Found = z
  .object({
    searched: Count.describe('pages that have such a text'),
    first: Count.describe('pages that were the first result'),
    firstTen: Count.describe('pages that were among the first ten'),
  })
  .meta({ id: 'FoundShare' });

const byTitle = Found.describe('pages drawn at random, searched by their own title');
const byHeading = Found.describe('the same pages, searched by their first heading');
const jobId = z.uuid().describe('the crawl');
const checkedAt = EpochSeconds.describe('when it was checked, in epoch seconds');
const pages = Count.describe('pages in the index');

const SiteHealth = z
  .object({
    siteId: z.uuid().describe('the site'),
    jobId: jobId.optional(),
    checkedAt: checkedAt.nullable().describe('in epoch seconds; null if no crawl has completed'),
    pages: pages.optional(),
    urls: Count.optional().describe('URLs that the crawl met'),
    isPartial: z.boolean().optional().describe('true if the site has more than the 200,000 that a check reads'),
    findings: z.array(Finding).describe('what is wrong, by kind'),
    languages: z
      .array(z.object({ language: z.string().describe('a tag such as `en`'), pages: Count.describe('pages in it') }))
      .describe('of the pages, the most frequent first'),
    selfCheck: z
      .object({
        byTitle,
        byHeading,
        misses: z
          .array(
            z.object({
              url: z.string().describe('the page'),
              query: z.string().describe('what was searched'),
              rank: Count.nullable().describe('its rank; null if it was not among the first ten'),
            }),
          )
          .describe('the first twenty that were not among the first ten results'),
      })
      .optional()
      .describe(
        'whether searches find a sample of its pages by their own words: 50, or 5 with a provider of embeddings',
      ),
    history: z
      .array(z.object({ jobId, checkedAt, pages, byTitle, byHeading }))
      .describe('the self-checks of the last 50 crawls, newest first'),
  })
  .meta({ id: 'SiteHealth' });

export const health = {
  'get-health': {
    method: 'get',
    paths: ['/sites/{siteId}/health'],
    summary: 'Say what is wrong with a site, as its last completed crawl has seen it, and what to do',
    access: member,
    params: SiteParams,
    status: 200,
    response: SiteHealth,
  },
} as const satisfies Record<string, Route>;
