import * as z from 'zod';
import { AI_KINDS } from '../core/usage/ai-usage.ts';
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

const TopQueries = z.array(z.object({ query: z.string(), count: Count })).describe('most frequent first');
const Day = z.object({ date: z.iso.date(), searches: Count, chats: Count }).meta({ id: 'Day' });
const Days = z.array(Day).describe('oldest first');

export const AnalyticsResponse = z
  .object({
    totalSearches: Count,
    totalChats: Count,
    totalPagesIndexed: Count.describe('the sum of siteBreakdown'),
    topQueries: TopQueries.max(10),
    siteBreakdown: z.array(
      z.object({ id: z.uuid(), name: z.string(), pagesIndexed: Count, searches: Count, chats: Count }),
    ),
    dailyUsage: Days,
    zeroResults: z.object({ searches: Count, queries: TopQueries.max(10) }).optional(),
    clicks: z
      .object({
        total: Count,
        rate: z.number().min(0).max(1).nullable().describe('clicks per search; null without searches'),
        meanPosition: z.number().min(1).nullable().describe('1 is the first result; null without clicks'),
      })
      .optional(),
    refusals: z.object({ chats: Count, questions: TopQueries.max(10) }).optional(),
    feedback: z.object({ helpful: Count, unhelpful: Count }).optional(),
    savedTokens: Count.optional().describe('tokens that chats did not pay, because an answer was used again'),
  })
  .meta({ id: 'AnalyticsResponse' });

const Cost = z.number().min(0).describe('in USD, without models of unknown price');
const Calls = z.object({ requests: Count, tokens: Count });

export const UsageResponse = z
  .object({
    month: z.string(),
    ai: z.object({
      totalRequests: Count,
      totalInputTokens: Count,
      totalOutputTokens: Count,
      totalTokens: Count,
      savedTokens: Count.optional().describe('not paid, because an earlier answer was used again'),
      estimatedCost: Cost,
      ingest: Calls,
      chat: Calls,
      models: z.array(
        z.object({
          model: z.string(),
          requests: Count,
          inputTokens: Count,
          outputTokens: Count,
          estimatedCost: z.number().min(0).nullable().describe('in USD; null if the price is unknown'),
        }),
      ),
      days: z
        .array(
          z.object({
            date: z.iso.date(),
            kind: z.enum(AI_KINDS),
            requests: Count,
            tokens: Count,
            savedTokens: Count,
            estimatedCost: Cost,
          }),
        )
        .optional()
        .describe('days with calls, oldest first'),
    }),
    vectorDb: z.object({
      totalCollections: Count.describe('sites with pages'),
      totalDocuments: Count.describe('indexed pages'),
    }),
    searches: z.object({ total: Count.describe('without chats'), chat: Count }),
  })
  .meta({ id: 'UsageResponse' });

export const SiteUsageResponse = z
  .object({
    siteId: z.uuid(),
    range: z.string(),
    searches: Count,
    chats: Count,
    totalTokens: Count,
    daily: Days,
  })
  .meta({ id: 'SiteUsageResponse' });

export const SiteTopQueriesResponse = z
  .object({ siteId: z.uuid(), range: z.string(), topQueries: TopQueries })
  .meta({ id: 'SiteTopQueriesResponse' });

export const ContentGapsResponse = z
  .object({
    siteId: z.uuid(),
    range: z.string(),
    gaps: z
      .array(
        z.object({
          query: z.string().describe('the most frequent one of the group'),
          count: Count.describe('searches without a result, searches without a click, and refused questions'),
          noResults: Count,
          noClick: Count.describe('0 while the site records no clicks'),
          refused: Count,
          queries: Count.describe('different queries of this meaning'),
          examples: TopQueries.max(5),
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
    access: member,
    params: NoParams,
    query: z.object({ range: Range, siteId: z.uuid().optional() }),
    status: 200,
    response: AnalyticsResponse,
    errors: ['not_found'],
  },
  'get-usage': {
    method: 'get',
    paths: ['/usage'],
    summary: 'Get the use of models and index in a month',
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
    access: member,
    params: SiteParams,
    query: z.object({ range: Range, limit: intInUrl({ min: 1, max: 100, default: 20 }) }),
    status: 200,
    response: SiteTopQueriesResponse,
  },
  'list-content-gaps': {
    method: 'get',
    paths: ['/sites/{siteId}/content-gaps'],
    summary: 'List what visitors of a site did not find, grouped by meaning',
    access: member,
    params: SiteParams,
    query: z.object({ range: Range, limit: intInUrl({ min: 1, max: 100, default: 20 }) }),
    status: 200,
    response: ContentGapsResponse,
  },
} as const satisfies Record<string, Route>;
