import * as z from 'zod';
import { intInUrl, NoParams, SiteParams } from './parameters.ts';
import { Count } from './response-fields.ts';
import { member, type Route } from './route.ts';

/** Events are kept for 90 days. */
const Range = z
  .string()
  .regex(/^(?:[1-9]|[1-8][0-9]|90)d$/, 'must be 1d to 90d')
  .default('30d')
  .describe('the number of past days, such as `30d`');

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
  })
  .meta({ id: 'AnalyticsResponse' });

const Calls = z.object({ requests: Count, tokens: Count });

export const UsageResponse = z
  .object({
    month: z.string(),
    ai: z.object({
      totalRequests: Count,
      totalInputTokens: Count,
      totalOutputTokens: Count,
      totalTokens: Count,
      estimatedCost: z.number().min(0).describe('in USD, without models of unknown price'),
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
    }),
    vectorDb: z.object({ totalCollections: Count, totalDocuments: Count }),
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
    pending: true,
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
    pending: true,
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
    pending: true,
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
    pending: true,
  },
} as const satisfies Record<string, Route>;
