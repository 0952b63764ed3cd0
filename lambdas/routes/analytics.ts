import * as z from 'zod';
import { AI_KINDS } from '../domain/sites/usage/ai-usage.ts';
import { intInUrl, NoParams, SiteParams } from './parameters.ts';
import { Count } from './response-fields.ts';
import { member, type Route } from './route.ts';

const Range = z
  .string()
  .regex(/^(?:[1-9]\d?|[12]\d\d|3[0-5]\d|36[0-5])d$/, 'must be 1d to 365d')
  .default('30d')
  .describe('the number of days (UTC) up to today, such as `30d`');

const Month = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'must be YYYY-MM')
  .optional()
  .describe('YYYY-MM, by default the current month (UTC)');

const TopQueries = z
  .array(
    z
      .object({
        query: z.string().describe('as visitors wrote it, with personal data masked'),
        count: Count.describe('how often it was asked'),
      })
      .meta({ id: 'TopQuery' }),
  )
  .describe('most frequent first');
const Searches = Count.describe('searches');
const Chats = Count.describe('questions to the chat');
const Pages = Count.describe('indexed pages');
const ShownRange = z.string().describe('the days that are counted, as requested: `30d`');
const Day = z
  .object({ date: z.iso.date().describe('a day in UTC'), searches: Searches, chats: Chats })
  .meta({ id: 'Day' });
const MeanPosition = z.number().min(1).nullable().describe('1 is the first result; null without clicks');
const DayOutcomes = z
  .object({
    date: Day.shape.date,
    zeroResults: Count.describe('searches without a result'),
    clicks: Count.describe('results that visitors opened'),
    meanPosition: MeanPosition,
    refusals: Count.describe('questions that the pages do not answer'),
    helpful: Count.describe('answers that helped'),
    unhelpful: Count.describe('answers that did not help'),
  })
  .meta({ id: 'DayOutcomes' });
const Days = z.array(Day).describe('oldest first');

const MostEntries = intInUrl({ min: 1, max: 100, default: 20 }).describe('entries, at most');

export const AnalyticsResponse = z
  .object({
    totalSearches: Count.describe('the sum of the searches of dailyUsage'),
    totalChats: Count.describe('the sum of the chats of dailyUsage'),
    totalPagesIndexed: Count.describe('the sum of siteBreakdown'),
    topQueries: TopQueries.max(10).describe('the ten most frequent queries, most frequent first'),
    siteBreakdown: z
      .array(
        z.object({
          id: z.uuid().describe('the id of the site'),
          name: z.string().describe('the name of the site'),
          pagesIndexed: Pages,
          searches: Searches,
          chats: Chats,
        }),
      )
      .describe('the figures of each site'),
    dailyUsage: Days,
    dailyOutcomes: z.array(DayOutcomes).optional().describe('what came of them on the same days'),
    zeroResults: z
      .object({
        searches: Count.describe('searches without a result'),
        queries: TopQueries.max(10).describe('the ten most frequent of them'),
      })
      .optional()
      .describe('what was searched and not found'),
    clicks: z
      .object({
        total: Count.describe('results that visitors opened'),
        rate: z.number().min(0).max(1).nullable().describe('clicks per search; null without searches'),
        meanPosition: MeanPosition,
      })
      .optional()
      .describe('what visitors opened, as far as the search page records it (`record-event`)'),
    refusals: z
      .object({
        chats: Count.describe('questions that the pages do not answer'),
        questions: TopQueries.max(10).describe('the ten most frequent of them'),
      })
      .optional()
      .describe('questions without an answer'),
    feedback: z
      .object({
        helpful: Count.describe('answers that helped'),
        unhelpful: Count.describe('answers that did not help'),
      })
      .optional()
      .describe('what visitors said about answers'),
    savedTokens: Count.optional().describe('tokens that chats did not pay, because an answer was used again'),
    agents: z
      .object({
        searches: Count.describe('searches of agents'),
        noResults: Count.describe('searches of agents without a result'),
        pagesRead: Count.describe('parts of pages that agents read'),
        answers: Count.describe('questions of agents to the tool `answer`'),
        helpful: Count.describe('results that agents call helpful'),
        unhelpful: Count.describe('results that agents call not helpful'),
        topQueries: TopQueries.max(10).describe('the ten most frequent queries of agents'),
      })
      .optional()
      .describe('what AI agents did by MCP; no other figure contains them'),
  })
  .meta({ id: 'AnalyticsResponse' });

const Cost = z.number().min(0).describe('in USD, without models of unknown price');
const Requests = Count.describe('calls to a model');
const Calls = z.object({ requests: Requests, tokens: Count.describe('tokens, input and output') });

export const UsageResponse = z
  .object({
    month: z.string().describe('YYYY-MM (UTC)'),
    ai: z
      .object({
        totalRequests: Requests,
        totalInputTokens: Count.describe('tokens that models read'),
        totalOutputTokens: Count.describe('tokens that models wrote'),
        totalTokens: Count.describe('the sum of both'),
        savedTokens: Count.optional().describe('not paid, because an earlier answer was used again'),
        estimatedCost: Cost,
        ingest: Calls.describe('calls for pages: their vectors and what a model wrote about them'),
        chat: Calls.describe('calls for questions of visitors'),
        models: z
          .array(
            z.object({
              model: z.string().describe('the name of the model, as the provider calls it'),
              requests: Requests,
              inputTokens: Count.describe('tokens that the model read'),
              outputTokens: Count.describe('tokens that the model wrote'),
              estimatedCost: z.number().min(0).nullable().describe('in USD; null if the price is unknown'),
            }),
          )
          .describe('the same by model'),
        days: z
          .array(
            z.object({
              date: z.iso.date().describe('a day in UTC'),
              kind: z.enum(AI_KINDS).describe('what the model was called for'),
              requests: Requests,
              tokens: Count.describe('tokens, input and output'),
              savedTokens: Count.describe('not paid, because an earlier answer was used again'),
              estimatedCost: Cost,
            }),
          )
          .optional()
          .describe('days with calls, oldest first'),
      })
      .describe('calls to models'),
    vectorDb: z
      .object({
        totalCollections: Count.describe('sites with pages'),
        totalDocuments: Pages,
      })
      .describe('what the search index holds now'),
    searches: z
      .object({ total: Count.describe('searches, without chats'), chat: Chats })
      .describe('calls of visitors in the month'),
  })
  .meta({ id: 'UsageResponse' });

export const SiteUsageResponse = z
  .object({
    siteId: SiteParams.shape.siteId,
    range: ShownRange,
    searches: Searches,
    chats: Chats,
    totalTokens: Count.describe('tokens of models for the site, input and output'),
    daily: Days,
  })
  .meta({ id: 'SiteUsageResponse' });

export const SiteTopQueriesResponse = z
  .object({ siteId: SiteParams.shape.siteId, range: ShownRange, topQueries: TopQueries })
  .meta({ id: 'SiteTopQueriesResponse' });

export const ContentGapsResponse = z
  .object({
    siteId: SiteParams.shape.siteId,
    range: ShownRange,
    gaps: z
      .array(
        z.object({
          query: z.string().describe('the most frequent one of the group'),
          count: Count.describe('searches without a result or a click, refused questions, and failures of agents'),
          noResults: Count.describe('searches without a result'),
          noClick: Count.describe('searches without a click; 0 while the site records no clicks'),
          refused: Count.describe('questions that the pages do not answer'),
          agents: Count.describe('failures of AI agents: no result, no answer, or feedback that it did not help'),
          queries: Count.describe('different queries of this meaning'),
          examples: TopQueries.max(5).describe('the five most frequent of these queries'),
        }),
      )
      .describe('most frequent first'),
  })
  .meta({ id: 'ContentGapsResponse' });

export const analytics = {
  'get-analytics': {
    method: 'get',
    paths: ['/analytics'],
    summary: 'Get searches, chats and top queries of the organisation or one site',
    uses: ['event-reader'],
    access: member,
    params: NoParams,
    query: z.object({ range: Range, siteId: z.uuid().optional().describe('only this site; by default all of them') }),
    status: 200,
    response: AnalyticsResponse,
    errors: ['not_found'],
  },
  'get-usage': {
    method: 'get',
    paths: ['/usage'],
    summary: 'Get the use of models and index in a month',
    uses: ['event-reader'],
    access: member,
    params: NoParams,
    query: z.object({ month: Month }),
    status: 200,
    response: UsageResponse,
    errors: ['usage_unavailable'],
  },
  'get-site-usage': {
    method: 'get',
    paths: ['/sites/{siteId}/usage'],
    summary: 'Get searches, chats and tokens of a site by day',
    uses: ['event-reader'],
    access: member,
    params: SiteParams,
    query: z.object({ range: Range }),
    status: 200,
    response: SiteUsageResponse,
  },
  'list-top-queries': {
    method: 'get',
    paths: ['/sites/{siteId}/top-queries'],
    summary: 'List the most frequent queries of a site',
    uses: ['event-reader'],
    access: member,
    params: SiteParams,
    query: z.object({ range: Range, limit: MostEntries }),
    status: 200,
    response: SiteTopQueriesResponse,
  },
  'list-content-gaps': {
    method: 'get',
    paths: ['/sites/{siteId}/content-gaps'],
    summary: 'List what visitors of a site did not find, grouped by meaning',
    uses: ['table', 'event-reader', 'embedder'],
    access: member,
    params: SiteParams,
    query: z.object({ range: Range, limit: MostEntries }),
    status: 200,
    response: ContentGapsResponse,
  },
} as const satisfies Record<string, Route>;
