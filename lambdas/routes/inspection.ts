import * as z from 'zod';
import { JOB_STATUSES, OUTCOME_NAMES, REASONS } from '../domain/crawl/jobs/outcomes.ts';
import { CrawlerConfig } from '../domain/sites/site-settings.ts';
import { MAX_URL_LENGTH } from '../text/web/url.ts';
import { IndexPage } from './content.ts';
import { QueryText } from './filters.ts';
import { JobPage } from './job-response.ts';
import { JobParams, SiteParams } from './parameters.ts';
import { Count, EpochSeconds } from './response-fields.ts';
import { member, type Route } from './route.ts';
import { Correction } from './search-response.ts';

const WrittenUrl = z.string().trim().min(1).max(MAX_URL_LENGTH).describe('a URL, or a path of the site');

const Scope = z
  .object({
    decision: z
      .enum(['admitted', 'out_of_scope', 'excluded', 'not_included', 'not_listed'])
      .describe('whether the next crawl may visit the URL'),
    baseUrl: z.string().describe('where the base URL leads'),
    pattern: z.string().optional().describe('the pattern of the site that excludes or includes the URL'),
    list: z
      .enum(['singleUrls', 'crawlUrls'])
      .optional()
      .describe('the list of URLs that the next crawl is restricted to'),
  })
  .meta({ id: 'UrlScope' });

const RobotsView = z
  .object({
    respected: z.boolean().describe('whether the site’s settings respect robots.txt'),
    allowed: z.boolean().optional().describe('absent if no crawl has read robots.txt'),
    rule: z.string().optional().describe('the line that decides; absent if none applies'),
    line: Count.optional().describe('its number in robots.txt, from 1'),
  })
  .meta({ id: 'RobotsDecision' });

const Share = z.number().describe('0 to 1');

const PublishedAt = z.string().optional().describe('ISO 8601');
const Language = z.string().optional().describe('a tag such as `en`');
const Canonical = z.string().optional().describe('the URL that the page names as its canonical');

const QueryTrace = z
  .object({
    q: z.string().describe('the query'),
    verdict: z.string().describe('at which rank a search finds it, or why it does not'),
    isFound: z.boolean().describe('a search for it has the page among its results'),
    isCandidate: z.boolean().describe('the page matches the words or the meaning, whatever its score'),
    rank: Count.nullable().describe('from 1, among at most 1,000 results'),
    totalResults: Count.describe('results of the search'),
    minScore: z.number().describe('a page with a lower score is no result'),
    corrections: z.array(Correction).describe('words that were searched in another spelling'),
    degraded: z.literal(true).optional().describe('without a vector, because the embedder did not answer'),
    score: z.number().optional().describe('of its best chunk: textScore times boost times confidence'),
    chunk: Count.optional().describe('position of that chunk in the page, from 0'),
    factors: z
      .object({
        meaning: Share,
        words: Share,
        title: Share,
        gate: Share.describe('low if the chunk has few of the words'),
        textScore: Share.describe(
          '(1 - (1 - meaning)(1 - words)(1 - title)) times gate, scaled so that 0.33 becomes 0.3',
        ),
        boost: z.number().describe('of tagBoosts and urlBoosts, and less for a list of pages'),
        confidence: z
          .number()
          .describe(
            'below 1 for corrected and completed words, above 1 for preferred phrases and a title that is the query',
          ),
      })
      .optional()
      .describe('what the score is the product of'),
    features: z
      .object({
        cosine: z.number().optional().describe('similarity of the meanings, -1 to 1; absent without a vector'),
        bm25: Share.describe('of its upper bound for these words'),
        together: Share.describe('1 if at least half of the query is found as one: in its order, or as an identifier'),
        distinction: Share.describe('how far its words are ones that hardly any other part of the site has'),
        label: Share.describe('agreement with the best heading or defined name'),
        title: Share.describe('agreement with the title'),
        linkShare: Share.describe('text inside links'),
        inChunk: Share.describe('words in the chunk'),
      })
      .optional()
      .describe('what the factors follow from'),
    words: z
      .array(
        z.object({
          word: z.string().describe('of the query'),
          counts: z.boolean().describe('false for words such as "how" and "the"'),
          inChunk: Count.describe('how often'),
          inTitle: z.boolean().describe('whether the title has it'),
          chunksOfSite: Count.describe('chunks of the site that have it'),
        }),
      )
      .optional()
      .describe('each word of the query'),
  })
  .meta({ id: 'QueryTrace' });

const UrlTrace = z
  .object({
    url: z.string().describe('normalised, as crawls know it'),
    isIndexed: z.boolean().describe('whether the index has a page with this URL'),
    verdict: z.string().describe('why it is found or not, and what to do'),
    scope: Scope.describe('what the settings of the site say about the URL'),
    robots: RobotsView.extend({ jobId: z.uuid().optional().describe('the crawl that has read it') }).describe(
      'what robots.txt says about the URL',
    ),
    foundBy: z.enum(['start', 'list', 'sitemap', 'page']).optional().describe('in the last crawl that met it'),
    sitemap: z.string().optional().describe('the sitemap that names it'),
    foundOn: z.string().optional().describe('the page that links to it'),
    leadsTo: z.array(JobPage).optional().describe('where redirects, canonicals and equal texts lead, in order'),
    lastCrawl: z
      .object({
        jobId: JobParams.shape.jobId,
        status: z.enum(JOB_STATUSES).describe('its state'),
        endReason: z.string().optional().describe('done, limit, cancelled, or the code of the failure'),
        error: z.string().optional().describe('a message about the failure'),
      })
      .optional()
      .describe('absent if the site has not been crawled'),
    history: z
      .array(
        JobPage.extend({
          jobId: JobParams.shape.jobId,
          jobStatus: z.enum(JOB_STATUSES).describe('the state of the crawl'),
          createdAt: EpochSeconds.describe('when the crawl was started, in epoch seconds'),
        }),
      )
      .describe('its outcomes in the newest ten crawls, newest first'),
    page: IndexPage.omit({ url: true })
      .extend({
        crawledAt: z.string().describe('ISO 8601'),
        isSearchable: z.boolean().describe('false while it is being removed'),
        publishedAt: PublishedAt,
        characters: Count.optional().describe('of its main text'),
        links: Count.optional().describe('links to other pages'),
        language: Language,
        canonical: Canonical,
      })
      .optional()
      .describe('the page as it is indexed'),
    aliasOf: z.string().optional().describe('the indexed page that has its text'),
    removal: z
      .object({
        state: z.enum(['held', 'removed']).describe('`removed` within the last hour'),
        reviewId: z.uuid().optional().describe('the review that holds it'),
        reason: z.string().optional().describe('why it counts as gone'),
      })
      .optional()
      .describe('present if the page is to be removed, or was lately'),
    query: QueryTrace.optional().describe('how a search for `q` ranks the page; present if `q` was given'),
  })
  .meta({ id: 'UrlTrace' });

const { includePatterns, excludePatterns } = CrawlerConfig.shape;
const UNSAVED = 'in place of those of the site, for this call only';

const TestUrlRequest = z
  .strictObject({
    url: WrittenUrl,
    fetch: z.boolean().default(true).describe('false only says what the settings of the site say about the URL'),
    includePatterns: includePatterns.optional().describe(UNSAVED),
    excludePatterns: excludePatterns.optional().describe(UNSAVED),
  })
  .meta({ id: 'TestUrlRequest' });

const TestedUrl = z
  .object({
    url: z.string().describe('normalised, as crawls know it'),
    scope: Scope.describe('what the settings of the site say about the URL'),
    robots: RobotsView.describe('what robots.txt says about the URL'),
    isIndexable: z.boolean().describe('the last step has a page that a crawl may index'),
    steps: z
      .array(
        z.object({
          url: z.string().describe('what was fetched'),
          outcome: z.enum(OUTCOME_NAMES).describe('how the URL would end in a crawl'),
          reason: z.enum(REASONS).optional().describe('why; absent for outcomes without reasons'),
          status: z.int().optional().describe('the HTTP status, if the server responded'),
          target: z.string().optional().describe('where the next step leads'),
          explanation: z.string().optional().describe('the same for people'),
        }),
      )
      .describe('the URL, and where its redirects lead, in order'),
    page: z
      .object({
        contentType: z.string().optional().describe('the Content-Type of the answer'),
        title: z.string().describe('its title'),
        description: z.string().optional().describe('its meta description'),
        language: Language,
        publishedAt: PublishedAt,
        canonical: Canonical,
        tags: z.array(z.string()).describe('keywords that the page names'),
        noindex: z.boolean().describe('whether it forbids to index it'),
        nofollow: z.boolean().describe('whether it forbids to follow its links'),
        headings: z.array(z.string()).describe('the first 100'),
        characters: Count.describe('of its main text'),
        chunks: Count.describe('as it would be indexed'),
        text: z.string().describe('the first 2,000 characters'),
        linkCount: Count.describe('links to other pages'),
        links: z.array(z.string()).describe('the first 100'),
      })
      .optional()
      .describe('what was read, also of a page that is not to be indexed'),
  })
  .meta({ id: 'TestedUrl' });

export const inspection = {
  'trace-url': {
    method: 'get',
    paths: ['/sites/{siteId}/trace'],
    summary: 'Say why a URL is or is not found, and with `q` how a search ranks it',
    uses: ['page-store-reader', 'index-reader', 'embedder'],
    access: member,
    params: SiteParams,
    query: z.object({ url: WrittenUrl, q: QueryText.optional() }),
    status: 200,
    response: UrlTrace,
    errors: ['search_unavailable'],
  },
  'test-url': {
    method: 'post',
    paths: ['/sites/{siteId}/test-url'],
    summary: 'Fetch and read one URL of the site as a crawl would, without indexing it',
    effect: 'reads',
    access: member,
    params: SiteParams,
    body: TestUrlRequest,
    status: 200,
    response: TestedUrl,
  },
} as const satisfies Record<string, Route>;
