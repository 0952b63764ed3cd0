import { defined } from '../../../text/defined.ts';
import type { TableReader } from '../../ports/table.ts';
import { ownSite } from '../../sites/site.ts';
import type { CrawlerConfig } from '../../sites/site-settings.ts';

type Patterns = { readonly [List in 'includePatterns' | 'excludePatterns']?: CrawlerConfig[List] | undefined };
type TestRequest = Patterns & { readonly siteId: string; readonly urls: readonly string[] };

/** Tells for each URL whether the site's next crawl may visit it, as if the patterns were saved. */
export async function testPatterns(
  { siteId, urls, includePatterns, excludePatterns }: TestRequest,
  { orgId }: { readonly orgId: string },
  { table }: { readonly table: TableReader },
) {
  const { scopedUrl } = await import('./scope-decision.ts'); // loads the engine of regular expressions
  const { settings, state } = await ownSite(siteId, orgId, table);
  const crawlerConfig = { ...settings.crawlerConfig, ...defined({ includePatterns, excludePatterns }) };
  const site = { settings: { ...settings, crawlerConfig }, state };
  const tested = urls.map(async (written) => ({ written, ...(await decisionOf(written)) }));
  return { urls: await Promise.all(tested) };

  async function decisionOf(written: string) {
    const scoped = await scopedUrl(written, site, table);
    return scoped && { url: scoped.url, scope: scoped.scope };
  }
}
