import { isPublicAddress, literalAddress } from '../../text/web/address.ts';
import { allowedHosts } from '../../text/web/allowed-hosts.ts';
import { originOf } from '../../text/web/url.ts';
import { offSiteWarning } from './crawl-urls.ts';
import { patternFaults } from './pattern-check.ts';
import type { SiteRecord } from './site.ts';
import type { UpdateSiteRequest } from './site-changes.ts';
import type { CrawlerConfig } from './site-settings.ts';

/** Warnings that answers show: accepted values that have no effect or not the expected one. */
export type Warnings = readonly string[];

export const shownWarnings = (warnings: Warnings) => (warnings.length > 0 ? { warnings } : {});

type Before = {
  /** The saved crawl scope, which may be outside a new base URL. */
  readonly scope: readonly string[];
  readonly baseUrl: string;
};

const MAX_PATTERNS_NAMED = 5;

/** Returns warnings about the configuration of a crawl. `part` is the path of its fields. */
export async function configWarnings(
  config: Pick<CrawlerConfig, 'includePatterns' | 'excludePatterns'>,
  baseUrl: string,
  part = '',
): Promise<Warnings> {
  const faults = await patternFaults(config, baseUrl);
  const more = faults.length - MAX_PATTERNS_NAMED;
  return [
    ...faults.slice(0, MAX_PATTERNS_NAMED).map(({ path, message }) => `${part}${path} ${message}`),
    ...(more > 0 ? [`${more} more patterns can match no URL of the site`] : []),
  ];
}

/** Returns warnings about the settings in a request and those that the site already has. */
export async function settingsWarnings(
  changes: UpdateSiteRequest,
  site: SiteRecord,
  { scope, baseUrl: before }: Before = { scope: [], baseUrl: site.settings.baseUrl },
): Promise<Warnings> {
  const { crawlerConfig, baseUrl } = site.settings;
  const offSite = offSiteWarning(scope, site);
  const isCrawlChanged = changes.crawlerConfig !== undefined || changes.baseUrl !== undefined;
  return [
    ...boostWarnings(changes),
    ...(isCrawlChanged ? await configWarnings(crawlerConfig, baseUrl, 'crawlerConfig.') : []),
    ...moveWarnings(site, before),
    ...(offSite === undefined ? [] : [offSite]),
  ];
}

/** Warns about a base URL with a private IP address that is not in `allowHosts`. A crawl looks up host names itself. */
export function addressWarnings(baseUrl: string | undefined, allowHosts: readonly string[]): Warnings {
  const url = baseUrl === undefined ? null : URL.parse(baseUrl);
  const address = url ? literalAddress(url.hostname) : undefined;
  if (!url || address === undefined || isPublicAddress(address) || allowedHosts(allowHosts)(url)) return [];
  const advice = 'no crawl reads it unless CRAWL_ALLOW_HOSTS names it when the service starts; pages can be ingested';
  return [`baseUrl: ${address} is a private address: ${advice}`];
}

function moveWarnings({ settings: { baseUrl }, state: { pageCount } }: SiteRecord, before: string): Warnings {
  const [from, to] = [before, baseUrl].map(originOf);
  if (from === to || pageCount === 0) return [];
  return [`baseUrl: indexed pages of ${from} stay; to delete them, use DELETE /sites/{siteId}/pages with ${from}/*`];
}

const MAX_NAME_LENGTH = 100;

function boostWarnings({ tagBoosts = [], urlBoosts = [] }: UpdateSiteRequest): Warnings {
  const named = [
    ...tagBoosts.map(({ tag, boost }, index) => ({ path: `tagBoosts.${index}`, name: tag, boost })),
    ...urlBoosts.map(({ urlPrefix, boost }, index) => ({ path: `urlBoosts.${index}`, name: urlPrefix, boost })),
  ];
  return named
    .filter(({ boost }) => boost <= 0)
    .map(({ path, name }) => `${path} (${name.slice(0, MAX_NAME_LENGTH)}): a boost of zero or less has no effect`);
}
