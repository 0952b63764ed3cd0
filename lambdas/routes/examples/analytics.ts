import type { analytics as routes } from '../analytics.ts';
import { type Example, IDS } from './example.ts';

const { siteId = '' } = IDS;
const daily = [
  { date: '2026-11-22', searches: 180, chats: 11 },
  { date: '2026-11-23', searches: 220, chats: 9 },
];
const outcomes = { zeroResults: 6, refusals: 0, helpful: 3 };
const range = '2d';
const topQueries = [
  { query: 'opening hours', count: 64 },
  { query: 'prices', count: 31 },
];
const gaps = [{ query: 'gift voucher', count: 12 }];

export const analytics = {
  'get-analytics': {
    query: { range, siteId },
    response: {
      totalSearches: 400,
      totalChats: 20,
      totalPagesIndexed: 1149,
      topQueries,
      siteBreakdown: [{ id: siteId, name: 'Example', pagesIndexed: 1149, searches: 400, chats: 20 }],
      dailyUsage: daily,
      dailyOutcomes: [
        { date: '2026-11-22', ...outcomes, clicks: 110, meanPosition: 1.9, unhelpful: 1 },
        { date: '2026-11-23', ...outcomes, clicks: 140, meanPosition: 1.7, unhelpful: 0 },
      ],
      zeroResults: { searches: 12, queries: gaps },
      clicks: { total: 250, rate: 0.625, meanPosition: 1.8 },
      refusals: { chats: 1, questions: [{ query: 'Do you ship to Iceland?', count: 1 }] },
      feedback: { helpful: 6, unhelpful: 1 },
      savedTokens: 5200,
      agents: {
        searches: 85,
        noResults: 4,
        pagesRead: 130,
        answers: 0,
        helpful: 2,
        unhelpful: 1,
        topQueries: [{ query: 'return policy', count: 9 }],
      },
    },
  },
  'get-usage': {
    query: { month: '2026-11' },
    response: {
      month: '2026-11',
      ai: {
        totalRequests: 30,
        totalInputTokens: 20_000,
        totalOutputTokens: 2400,
        totalTokens: 22_400,
        savedTokens: 5200,
        estimatedCost: 0.012,
        ingest: { requests: 10, tokens: 12_000 },
        chat: { requests: 20, tokens: 10_400 },
        models: [
          { model: 'gpt-4.1-mini', requests: 30, inputTokens: 20_000, outputTokens: 2400, estimatedCost: 0.012 },
        ],
        days: [
          { date: '2026-11-23', kind: 'chat', requests: 20, tokens: 10_400, savedTokens: 5200, estimatedCost: 0.007 },
        ],
      },
      vectorDb: { totalCollections: 1, totalDocuments: 1149 },
      searches: { total: 400, chat: 20 },
    },
  },
  'get-site-usage': {
    query: { range },
    response: { siteId, range, searches: 400, chats: 20, totalTokens: 22_400, daily },
  },
  'list-top-queries': { query: { range, limit: 2 }, response: { siteId, range, topQueries } },
  'list-content-gaps': {
    query: { range, limit: 5 },
    response: {
      siteId,
      range,
      gaps: [
        {
          query: 'gift voucher',
          count: 16,
          noResults: 12,
          noClick: 1,
          refused: 1,
          agents: 2,
          queries: 3,
          examples: [...gaps, { query: 'gift card', count: 2 }],
        },
      ],
    },
  },
} satisfies Record<keyof typeof routes, Example>;
