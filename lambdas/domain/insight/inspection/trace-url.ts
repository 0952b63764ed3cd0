import { defined } from '../../../text/defined.ts';
import { AppError } from '../../errors.ts';
import type { PageStoreReader } from '../../ports/page-store.ts';
import type { TableReader } from '../../ports/table.ts';
import type { SearchDeps } from '../../search/search-pages.ts';
import { crawlerConfigOf, ownSite } from '../../sites/site.ts';
import { crawlHistory } from './crawl-history.ts';
import { indexedPageAt, latestRemoval } from './indexed-page-at-url.ts';
import { queryTrace } from './query-trace.ts';
import { queryVerdict } from './query-verdict.ts';
import { scopedUrl } from './scope-decision.ts';
import { verdict } from './verdict.ts';

type TraceRequest = { readonly siteId: string; readonly url: string; readonly q?: string | undefined };
type Deps = {
  readonly table: TableReader;
  readonly pageStore: PageStoreReader;
  readonly search: Omit<SearchDeps, 'clock'>;
};

/** Explains why a URL of a site is found or not, from settings, robots.txt, crawls, registry and ranking. */
export async function traceUrl(
  { siteId, url: written, q }: TraceRequest,
  { orgId }: { readonly orgId: string },
  { table, pageStore, search }: Deps,
) {
  const site = await ownSite(siteId, orgId, table);
  const scoped = await scopedUrl(written, site, table);
  if (!scoped) throw notAUrl();
  const { scope, ...page } = scoped;
  const generation = { siteId, generation: site.state.generation };
  const [{ robots, lastMet, ...crawls }, under, removal] = await Promise.all([
    crawlHistory(page.url, siteId, table),
    indexedPageAt(page, generation, { table, pageStore }),
    latestRemoval(page, generation, table),
  ]);
  const isSearchable = under.page?.isSearchable === true;
  const { respectRobotsTxt: respected } = crawlerConfigOf(site);
  const isForbidden = respected && robots?.allowed === false;
  const query = q === undefined ? undefined : await queryTrace(q, page, site, search);
  return {
    url: page.url,
    isIndexed: isSearchable,
    verdict: verdict({ isSearchable, aliasOf: under.aliasOf, removal, scope, isForbidden, crawls }),
    scope,
    robots: { respected, ...robots },
    ...lastMet,
    ...(crawls.lastCrawl && { lastCrawl: crawls.lastCrawl }),
    history: crawls.history,
    ...(under.page && { page: under.page }),
    ...defined({ aliasOf: under.aliasOf }),
    ...(removal && { removal }),
    ...(query && { query: { verdict: queryVerdict({ ...query, isIndexed: isSearchable }), ...query } }),
  };
}

export const notAUrl = (): AppError =>
  new AppError('invalid_request', 'url must be an http or https URL without credentials, or a path of the site');
