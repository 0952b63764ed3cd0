import * as z from 'zod';
import { Count } from './answers.ts';
import { NoParams, SiteParams, wholeNumberInUrl } from './parameters.ts';
import type { Route } from './route.ts';

/** Events are kept for 90 days. */
const Range = z
  .string()
  .regex(/^(?:[1-9]|[1-8][0-9]|90)d$/, 'must be 1d to 90d')
  .default('30d')
  .describe('so many days until now');

const Month = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'must be YYYY-MM')
  .optional()
  .describe('YYYY-MM; the current month of UTC when absent');

const TopQueries = z.array(z.object({ query: z.string(), count: Count })).describe('the most frequent first');
const Day = z.object({ date: z.iso.date(), searches: Count, chats: Count }).meta({ id: 'Day' });
const Days = z.array(Day).describe('the oldest first');

export const AnalyticsResponse = z
  .object({
    totalSearches: Count,
    totalChats: Count,
    totalPagesIndexed: Count.describe('the sum over siteBreakdown'),
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
      estimatedCost: z.number().min(0).describe('USD, over the models whose price is known'),
      ingest: Calls,
      chat: Calls,
      models: z.array(
        z.object({
          model: z.string(),
          requests: Count,
          inputTokens: Count,
          outputTokens: Count,
          estimatedCost: z.number().min(0).nullable().describe('USD; null when the price is not known'),
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

export const figures = {
  'get-analytics': {
    method: 'get',
    paths: ['/analytics'],
    summary: 'Searches, chats and top queries of the organisation or of one of its sites',
    access: { role: 'member' },
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
    summary: 'What a month has used of models and index, for billing and quotas',
    access: { role: 'member' },
    params: NoParams,
    query: z.object({ month: Month }),
    status: 200,
    response: UsageResponse,
    pending: true,
  },
  'get-site-usage': {
    method: 'get',
    paths: ['/sites/{siteId}/usage'],
    summary: 'Searches, chats and tokens of a site, by day',
    access: { role: 'member' },
    params: SiteParams,
    query: z.object({ range: Range }),
    status: 200,
    response: SiteUsageResponse,
    pending: true,
  },
  'list-top-queries': {
    method: 'get',
    paths: ['/sites/{siteId}/top-queries'],
    summary: 'What visitors of a site search for most',
    access: { role: 'member' },
    params: SiteParams,
    query: z.object({ range: Range, limit: wholeNumberInUrl({ from: 1, to: 100, otherwise: 20 }) }),
    status: 200,
    response: SiteTopQueriesResponse,
    pending: true,
  },
} as const satisfies Record<string, Route>;
