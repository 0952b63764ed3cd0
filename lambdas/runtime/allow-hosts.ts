import type { SiteSettings } from '../core/sites/site.ts';
import { allowedHosts } from '../core/web/allowed-hosts.ts';
import { env } from '../env.ts';

/** The private hosts that may be reached for a site. */
export const allowHosts = ({ privateHost }: Pick<SiteSettings, 'privateHost'>): readonly string[] => [
  ...env.CRAWL_ALLOW_HOSTS,
  ...(privateHost === undefined ? [] : [privateHost]),
];

/** Private hosts that the scripts of a site's pages may reach: none, unless the site itself is on one of them. */
export function scriptHosts(site: Pick<SiteSettings, 'privateHost' | 'baseUrl'>): readonly string[] {
  const hosts = allowHosts(site);
  const url = URL.parse(site.baseUrl);
  return url && allowedHosts(hosts)(url) ? hosts : [];
}
