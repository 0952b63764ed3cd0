import { crawlerConfigOf, type SiteRecord, type SiteState } from './site.ts';

export const SITE_STATUSES = ['pending', 'crawling', 'ready', 'error'] as const;
export type SiteStatus = (typeof SITE_STATUSES)[number];

/** Derived on reading, so that it never contradicts the lock, the last job's end and the page count. */
export function siteStatus({ runningJobId, lastCrawl, pageCount }: SiteState): SiteStatus {
  if (runningJobId !== null) return 'crawling';
  if (lastCrawl?.status === 'failed') return 'error';
  if (pageCount > 0) return 'ready';
  return lastCrawl?.status === 'completed' ? 'error' : 'pending';
}

function lastError(state: SiteState): { lastError?: string; lastErrorCode?: string } {
  if (siteStatus(state) !== 'error') return {};
  if (state.lastCrawl?.status !== 'failed') {
    return { lastError: 'The crawl completed but found no page to index.', lastErrorCode: 'no_pages_indexed' };
  }
  return {
    lastError: state.lastCrawl.error ?? 'The last crawl failed.',
    lastErrorCode: state.lastCrawl.errorCode ?? 'internal_error',
  };
}

export const siteSummary = ({ settings, state }: SiteRecord) => ({
  siteId: settings.siteId,
  name: settings.name,
  baseUrl: settings.baseUrl,
  status: siteStatus(state),
  pageCount: state.pageCount,
  createdAt: settings.createdAt,
  ...(state.lastCrawledAt !== undefined && { lastCrawledAt: state.lastCrawledAt }),
});

export const siteDetails = (site: SiteRecord) => ({
  ...siteSummary(site),
  ...(site.settings.domain !== undefined && { domain: site.settings.domain }),
  ...(site.settings.description !== undefined && { description: site.settings.description }),
  ...lastError(site.state),
  publicAccess: site.settings.publicAccess,
  rateLimits: site.settings.rateLimits,
  crawlerConfig: crawlerConfigOf(site),
  metadataSchema: site.settings.metadataSchema,
  tagBoosts: site.settings.tagBoosts,
  urlBoosts: site.settings.urlBoosts,
  removalPolicy: site.settings.removalPolicy,
});
