import { defined } from '../../../text/defined.ts';
import { listedUrl } from '../../../text/web/listed-url.ts';
import { normaliseUrl, urlHash } from '../../../text/web/url.ts';
import { type FilterRefusal, urlFilter } from '../../crawl/frontier/url-filter.ts';
import { baseOf } from '../../crawl/jobs/start-crawl.ts';
import type { TableReader } from '../../ports/table.ts';
import { storedPrefixes } from '../../search/results/shown-url.ts';
import { crawlUrls } from '../../sites/crawl-urls.ts';
import { crawlerConfigOf, type SiteRecord } from '../../sites/site.ts';
import type { CrawlerConfig } from '../../sites/site-settings.ts';

/** Tells whether the site's next crawl may visit a URL, and which setting decides. */
export type ScopeDecision = {
  readonly decision: 'admitted' | FilterRefusal | 'not_listed';
  readonly baseUrl: string;
  /** The pattern that excludes or includes the URL. */
  readonly pattern?: string;
  /** The URL list to which the next crawl is restricted. */
  readonly list?: 'singleUrls' | 'crawlUrls';
};

export type ScopedUrl = { readonly url: string; readonly urlHash: string; readonly scope: ScopeDecision };

type Patterns = Pick<CrawlerConfig, 'includePatterns' | 'excludePatterns'>;

/**
 * Returns a URL as a crawl would know it; undefined if it is no URL. Accepts URLs shown in results with the site's
 * `domain`.
 */
export async function scopedUrl(written: string, site: SiteRecord, table: TableReader): Promise<ScopedUrl | undefined> {
  const base = baseOf(site, true);
  const config = crawlerConfigOf(site);
  const filterOf = (patterns: Patterns) => urlFilter({ ...base, config: { ...config, ...patterns } });
  const absolute = normaliseUrl(written, base.baseUrl);
  if (absolute === undefined) return undefined;
  const filter = filterOf(config);
  const spellings = storedPrefixes(absolute, site).flatMap((spelling) => filter.onSite(spelling) ?? []);
  const url = spellings.find((spelling) => filter.refusal(spelling) !== 'out_of_scope') ?? absolute;
  const refusal = filter.refusal(url);
  const { includePatterns, excludePatterns } = config;
  const pattern =
    refusal === 'excluded'
      ? excludePatterns.find((one) => filterOf({ includePatterns, excludePatterns: [one] }).refusal(url) === refusal)
      : includePatterns.find(
          (one) => filterOf({ includePatterns: [one], excludePatterns: [] }).refusal(url) === undefined,
        );
  const list = await listOf(site, table);
  const isListed = !list || list.urls.some((listed) => filter.onSite(listed) === url);
  const scope = {
    decision: refusal ?? (isListed ? ('admitted' as const) : ('not_listed' as const)),
    baseUrl: base.baseUrl,
    ...defined({ pattern }),
    ...(list && { list: list.name }),
  };
  return { url, urlHash: urlHash(url), scope };
}

async function listOf(site: SiteRecord, table: TableReader) {
  const { siteId, orgId, baseUrl } = site.settings;
  const { singleUrls = [] } = crawlerConfigOf(site);
  if (singleUrls.length > 0)
    return { name: 'singleUrls' as const, urls: singleUrls.flatMap((written) => listedUrl(written, baseUrl) ?? []) };
  const urls = await crawlUrls(siteId, { orgId }, table);
  return urls.length > 0 ? { name: 'crawlUrls' as const, urls } : undefined;
}
