import type { SiteSettings } from '../core/sites/site.ts';
import { env } from '../env.ts';

/** The private hosts that may be reached for a site. */
export const allowHosts = ({ privateHost }: Pick<SiteSettings, 'privateHost'>): readonly string[] => [
  ...env.CRAWL_ALLOW_HOSTS,
  ...(privateHost === undefined ? [] : [privateHost]),
];
