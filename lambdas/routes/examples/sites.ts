import { NEW_CRAWLER_CONFIG, NEW_PUBLIC_ACCESS, NEW_REMOVAL_POLICY } from '../../domain/sites/site-settings.ts';
import type { sites as routes } from '../sites.ts';
import { type Example, IDS, NOW } from './example.ts';

const summary = {
  id: IDS.siteId,
  siteId: IDS.siteId,
  name: 'Example',
  baseUrl: 'https://www.example.com/',
  status: 'ready',
  pageCount: 1149,
  createdAt: NOW - 86_400,
};

const site = {
  ...summary,
  lastCrawledAt: NOW,
  lastCrawl: {
    jobId: IDS.jobId,
    status: 'completed',
    endReason: 'done',
    completedAt: NOW,
    discovered: 1302,
    indexed: 12,
    unchanged: 1137,
    duplicate: 31,
    skipped: 118,
    gone: 3,
    failed: 1,
  },
  publicAccess: { ...NEW_PUBLIC_ACCESS, enabled: true, allowedDomains: ['www.example.com'] },
  mcp: { answer: false },
  rateLimits: { perIpPerMinute: 120 },
  crawlerConfig: { ...NEW_CRAWLER_CONFIG, maxPages: 5000, maxDepth: 10, excludePatterns: ['/blog/*'] },
  metadataSchema: [{ name: 'version', type: 'string', label: 'Version', facet: true, from: { urlPattern: '/docs/*' } }],
  tagBoosts: [{ tag: 'guide', boost: 1.5 }],
  urlBoosts: [{ urlPrefix: '/archive/', boost: 0.5 }],
  removalPolicy: NEW_REMOVAL_POLICY,
};

export const sites = {
  'list-sites': { response: { sites: [{ ...summary, lastCrawledAt: NOW }] } },
  'create-site': {
    body: {
      name: 'Example',
      baseUrl: 'https://www.example.com/',
      crawlerConfig: { maxPages: 5000, maxDepth: 10, sitemaps: [{ url: '/sitemap.xml' }] },
      publicAccess: { enabled: true, allowedDomains: ['www.example.com'] },
    },
    response: { ...summary, status: 'pending', pageCount: 0, createdAt: NOW },
  },
  'get-site': { response: site },
  'update-site': {
    body: { crawlerConfig: { excludePatterns: ['/blog/*'], delayMs: null }, tagBoosts: [{ tag: 'guide', boost: 1.5 }] },
    response: { success: true, site },
  },
  'delete-site': { response: { success: true } },
} satisfies Record<keyof typeof routes, Example>;
