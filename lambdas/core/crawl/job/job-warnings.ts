import { configWarnings, type Warnings } from '../../sites/settings-warnings.ts';
import { originOf } from '../../web/url.ts';
import type { CrawlJob } from './job.ts';

/**
 * What has no effect in a new job, or another one than it seems. `maxPages` is as asked for, `urls` is its URL list.
 */
export async function jobWarnings(
  { config, baseUrl }: Pick<CrawlJob, 'config' | 'baseUrl'>,
  { maxPages, urls }: { readonly maxPages: number; readonly urls: readonly string[] },
): Promise<Warnings> {
  const origin = originOf(baseUrl);
  const off = urls.filter((url) => originOf(url) !== origin).length;
  return [
    ...(await configWarnings(config, baseUrl)),
    ...(maxPages > config.maxPages
      ? [`maxPages: the plan allows ${config.maxPages} pages of a site, so the crawl reads no more of the ${maxPages}`]
      : []),
    ...(off > 0
      ? [`${off} of the ${urls.length} listed URLs are not on ${origin}: they are skipped as out_of_scope`]
      : []),
  ];
}
