import type { SiteSettings } from '../domain/sites/site.ts';
import { env } from '../env.ts';
import { allowedHosts } from '../text/web/allowed-hosts.ts';

/**
 * Returns the private hosts that may be reached for a site: none, unless the site itself is on one of them. So no
 * redirect, sitemap or script of a public site leads to a private host.
 */
export function allowHosts({ privateHost, baseUrl }: Pick<SiteSettings, 'privateHost' | 'baseUrl'>): readonly string[] {
  const hosts = [...env.CRAWL_ALLOW_HOSTS, ...(privateHost === undefined ? [] : [privateHost])];
  const url = URL.parse(baseUrl);
  return url && allowedHosts(hosts)(url) ? hosts : [];
}
