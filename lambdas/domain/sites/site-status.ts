import type { SiteState } from './site.ts';

export const SITE_STATUSES = ['pending', 'crawling', 'ready', 'error'] as const;
export type SiteStatus = (typeof SITE_STATUSES)[number];

/**
 * Returns the status of a site. It is not stored, so it never contradicts the lock, the last job's end and the page
 * count.
 */
export function siteStatus({ runningJobId, lastCrawl, pageCount }: SiteState): SiteStatus {
  if (runningJobId !== null) return 'crawling';
  if (lastCrawl?.status === 'failed') return 'error';
  if (pageCount > 0) return 'ready';
  return lastCrawl?.status === 'completed' && !lastCrawl.foundPages ? 'error' : 'pending';
}
