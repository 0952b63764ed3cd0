import { defined } from '../../text/defined.ts';
import { crawlerConfigOf, type SiteRecord, type SiteState } from './site.ts';
import { mcpView, NEW_PUBLIC_ACCESS } from './site-settings.ts';
import { siteStatus } from './site-status.ts';

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
  id: settings.siteId,
  siteId: settings.siteId,
  name: settings.name,
  baseUrl: settings.baseUrl,
  status: siteStatus(state),
  pageCount: state.pageCount,
  createdAt: settings.createdAt,
  ...defined({ lastCrawledAt: state.lastCrawledAt }),
});

export const siteDetails = (site: SiteRecord) => ({
  ...siteSummary(site),
  ...defined({ domain: site.settings.domain, description: site.settings.description }),
  ...lastError(site.state),
  publicAccess: { ...NEW_PUBLIC_ACCESS, ...site.settings.publicAccess },
  mcp: mcpView(site.settings.mcp),
  rateLimits: site.settings.rateLimits,
  crawlerConfig: crawlerConfigOf(site),
  metadataSchema: site.settings.metadataSchema,
  tagBoosts: site.settings.tagBoosts,
  urlBoosts: site.settings.urlBoosts,
  removalPolicy: site.settings.removalPolicy,
});
