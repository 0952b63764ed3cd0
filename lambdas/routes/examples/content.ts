import type { content as routes } from '../content.ts';
import { type Example, IDS, NOW } from './example.ts';

const handbook = { url: 'https://www.example.com/handbook', title: 'Handbook' };
const aliases = { aliases: [], aliasCount: 0 };
const paging = { nextCursor: null, hasMore: false };

export const content = {
  'list-pages': {
    query: { search: 'handbook', limit: 20 },
    response: {
      items: [
        {
          ...handbook,
          summary: 'How we work, in short',
          tags: ['guide'],
          publishedAt: '2026-11-01',
          crawledAt: '2026-11-23T09:00:00.000Z',
          indexedAt: NOW,
          ...aliases,
        },
      ],
      ...paging,
    },
  },
  'ingest-pages': {
    body: {
      pages: [
        {
          url: handbook.url,
          content: '<h1>Handbook</h1><p>How we work.</p>',
          tags: ['guide'],
          summary: 'How we work, in short',
          key: 'handbook-1',
          publishedAt: '2026-11-01',
          metadata: { version: '16' },
        },
        { url: '/notes/1', title: 'A note', content: 'Plain text about lanterns.', contentType: 'text' },
      ],
    },
    response: {
      success: true,
      processed: 1,
      skipped: 1,
      failed: 0,
      results: [
        { url: handbook.url, status: 'success', chunks: 1, isNew: true, processingTimeMs: 12 },
        { url: '/notes/1', status: 'skipped' },
      ],
    },
  },
  'delete-pages': {
    body: { urls: [handbook.url], patterns: ['/notes/*'], keys: ['handbook-1'] },
    response: {
      siteId: IDS.siteId,
      requestedUrls: 1,
      deletedPages: 4,
      deletedChunks: 9,
      complete: true,
      message: 'Deleted 4 pages.',
    },
  },
  'purge-site': { response: { success: true, deletedCount: 1149 } },
  'list-index-pages': {
    query: { limit: 20 },
    response: {
      pages: [{ ...handbook, key: 'handbook-1', chunks: 1, source: 'ingest', indexedAt: NOW, ...aliases }],
      ...paging,
    },
  },
  'delete-index-pages': {
    body: { urls: [handbook.url] },
    response: { success: true, requested: 1, deleted: 1, deletedChunks: 1 },
  },
} satisfies Record<keyof typeof routes, Example>;
