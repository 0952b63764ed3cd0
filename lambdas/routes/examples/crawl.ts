import type { crawl as routes } from '../crawl.ts';
import { type Example, IDS, NOW } from './example.ts';

const { siteId, jobId } = IDS;
const ids = { jobId, siteId, taskId: `${jobId}#4` };

const endedJob = {
  ...ids,
  status: 'completed',
  createdAt: NOW - 20,
  startedAt: NOW - 20,
  completedAt: NOW,
  endReason: 'limit',
  pagesDiscovered: 1149,
  pagesCrawled: 101,
  pagesProcessed: 97,
  pagesSkipped: 1050,
  pagesErrored: 2,
  errors: 2,
  outcomes: {
    indexed: 97,
    unchanged: 0,
    duplicate: 2,
    skipped: { excluded: 6, noindex: 1, over_limit: 1041 },
    gone: { '404': 1 },
    failed: { timeout: 1 },
  },
  pagesRemoved: 0,
};

const runningJob = {
  ...ids,
  status: 'running',
  createdAt: NOW - 8,
  startedAt: NOW - 8,
  completedAt: null,
  currentUrl: 'https://www.example.com/prices',
  pagesDiscovered: 212,
  pagesCrawled: 40,
  pagesProcessed: 38,
  pagesSkipped: 3,
  pagesErrored: 0,
  errors: 0,
  outcomes: { indexed: 38, unchanged: 0, duplicate: 1, skipped: { excluded: 2 }, gone: {}, failed: {} },
  pagesRemoved: 0,
};

const urls = ['https://www.example.com/', 'https://www.example.com/prices'];

const schedule = {
  id: '1d4f6b90-3a27-4e18-a5c9-d0f2b7e84a76',
  frequency: 'daily',
  enabled: true,
  createdAt: NOW,
  nextStartAt: NOW + 86_400,
  skippedStarts: 0,
};

export const crawl = {
  'start-crawl': {
    body: { singleUrls: ['/prices', '/contact'] },
    response: { success: true, jobId, message: 'The crawl was started' },
  },
  'list-site-jobs': {
    query: { limit: 10 },
    response: { jobs: [runningJob, endedJob], nextCursor: null, hasMore: false },
  },
  'get-job': { response: endedJob },
  'cancel-job': { response: { ...runningJob, status: 'cancelled', completedAt: NOW, endReason: 'cancelled' } },
  'list-job-pages': {
    query: { outcome: 'skipped', limit: 2 },
    response: {
      pages: [
        { url: 'https://www.example.com/blog/1', outcome: 'skipped', reason: 'excluded', depth: 2, foundOn: urls[0] },
        { url: 'https://www.example.com/drafts', outcome: 'skipped', reason: 'noindex', status: 200, depth: 1 },
      ],
      nextCursor: 'URL#skipped#noindex#9c1e',
      hasMore: true,
    },
  },
  'get-crawl-urls': { response: { urls, count: 2 } },
  'replace-crawl-urls': {
    body: { urls: [...urls, 'https://other.example/'] },
    response: { urls, count: 2, rejected: 1, warning: '1 URL is not on the origin of the site and was left out' },
  },
  'clear-crawl-urls': { response: { success: true } },
  'list-schedules': {
    response: { schedules: [{ ...schedule, lastStartedAt: NOW + 86_400, nextStartAt: NOW + 172_800 }] },
  },
  'set-schedule': { body: { frequency: 'daily' }, response: schedule },
  'delete-schedule': { response: { success: true } },
} satisfies Record<keyof typeof routes, Example>;
