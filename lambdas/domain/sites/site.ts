import { originOf } from '../../text/web/url.ts';
import { NotFoundError } from '../errors.ts';
import { everyItem } from '../every-item.ts';
import { KnownVersions } from '../ports/rules/known-versions.ts';
import type { Item, Key, TableReader } from '../ports/table.ts';
import type { MetadataField } from './metadata-schema.ts';
import type {
  CrawlerConfig,
  Mcp,
  PublicAccess,
  RateLimits,
  RemovalPolicy,
  TagBoost,
  UrlBoost,
} from './site-settings.ts';

/** The settings of a site. Every change raises `version`, so that no concurrent change is lost. */
export type SiteSettings = {
  readonly siteId: string;
  readonly orgId: string;
  readonly version: number;
  readonly name: string;
  readonly baseUrl: string;
  readonly domain?: string;
  readonly description?: string;
  readonly createdAt: number;
  readonly publicAccess: PublicAccess;
  /** Absent in a site that was stored before it could be set. */
  readonly mcp?: Mcp;
  readonly rateLimits: RateLimits;
  readonly crawlerConfig: CrawlerConfig;
  /** The version in which `singleUrls` were last set. Absent: the first. */
  readonly singleUrlsSince?: number;
  readonly metadataSchema: readonly MetadataField[];
  readonly tagBoosts: readonly TagBoost[];
  readonly urlBoosts: readonly UrlBoost[];
  readonly removalPolicy: RemovalPolicy;
  /** `host:port` of a private host that this site may crawl, for the local demo. Never set through the API. */
  readonly privateHost?: string;
};

export type CrawlEnd = {
  readonly jobId: string;
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly error?: string;
  readonly errorCode?: string;
  /** Whether the last crawl completed with pages. If the site now has none, they were deleted. */
  readonly foundPages?: boolean;
};

/** The state of a site. Stored separately from the settings, so that a crawl never makes a change of settings fail. */
export type SiteState = {
  readonly runningJobId: string | null;
  /** The sweep of an approved review. It may run at the same time as a crawl. */
  readonly runningSweepId?: string | null;
  /** The version of the settings. Absent: unknown. */
  readonly settingsVersion?: number;
  readonly pageCount: number;
  readonly revision: number;
  /** No page will be registered any more with this revision or an earlier one (domain/pages/collect-texts.ts). */
  readonly sweptTo?: number;
  /** The highest revision with which a page was removed. */
  readonly lastRemoval?: number;
  /** Number of crawls that have begun, without those of versions that did not count them. */
  readonly jobs?: number;
  /** Part of every key of a page. A purge raises it, which hides all pages at once. */
  readonly generation: number;
  /** Languages of the site's pages (`searchedLanguage`). A query is analysed in each. Stored by `languageField`. */
  readonly languages?: readonly string[];
  /** The version of the site's fields with which the pages are or will be filled (pages/start-refill.ts). */
  readonly refilled?: string;
  readonly lastCrawl?: CrawlEnd;
  readonly lastCrawledAt?: number;
  /**
   * The URL to which the base URL redirects within its domain, found by the last crawl. Read it by `effectiveBaseUrl`.
   */
  readonly effectiveBaseUrl?: string;
  /** The origin of the base URL with which that crawl began. The base URL may have changed since. */
  readonly effectiveFrom?: string;
  /** The version of the settings whose `singleUrls` a crawl has used up. */
  readonly consumedList?: number;
  /** Version and number of the items with the saved crawl scope. Absent: crawls visit the whole site. */
  readonly scopeVersion?: string | null;
  readonly scopeParts?: number;
};

const LANGUAGE_FIELD = 'language:';
/**
 * Returns the name of a language's field. Languages have separate fields, so that concurrent writers do not overwrite
 * each other's.
 */
export const languageField = (language: string): string => LANGUAGE_FIELD + language;

export const settingsKey = (siteId: string): Key => ({ pk: `SITE#${siteId}`, sk: 'SITE' });
export const stateKey = (siteId: string): Key => ({ pk: `SITE#${siteId}`, sk: 'STATE' });
export const sitePointerKey = (orgId: string, siteId: string): Key => ({ pk: `ORG#${orgId}`, sk: `SITE#${siteId}` });

export type SiteRecord = { readonly settings: SiteSettings; readonly state: SiteState };

/** Returns the configuration of the next crawl, without `singleUrls` that a crawl has used up. */
export function crawlerConfigOf({ settings, state }: SiteRecord): CrawlerConfig {
  const { singleUrls, ...others } = settings.crawlerConfig;
  return state.consumedList === singleUrlsVersion(settings) ? others : settings.crawlerConfig;
}

/**
 * Returns the URL to which the site's base URL leads, on another origin if the site has moved; undefined before the
 * first crawl.
 */
export function effectiveBaseUrl({ settings, state }: SiteRecord): string | undefined {
  return state.effectiveFrom === originOf(settings.baseUrl) ? state.effectiveBaseUrl : undefined;
}

export const singleUrlsVersion = ({ singleUrlsSince }: SiteSettings): number => singleUrlsSince ?? 1;

/**
 * Returns sites in the order of their ids. Every call reads their states, which are small. It reads the settings, which
 * may have 300 kB, only if the table's cache (`TableReader.versions`) lacks the version that the state names.
 */
export async function readSites(
  siteIds: readonly string[],
  table: TableReader,
): Promise<readonly (SiteRecord | undefined)[]> {
  const known = table.versions ?? new KnownVersions();
  const unknown = siteIds.filter((siteId) => !known.has(siteId));
  const items = await table.getMany([...siteIds.map(stateKey), ...unknown.map(settingsKey)]);
  const states = items.slice(0, siteIds.length).map((item) => item && withLanguages(item));
  const read = new Map(unknown.map((siteId, i) => [siteId, asSettings(items[siteIds.length + i])]));
  const changed = siteIds.filter(
    (siteId, i) => states[i] && !read.has(siteId) && !known.get(siteId, states[i].settingsVersion),
  );
  for (const [i, item] of (await table.getMany(changed.map(settingsKey))).entries())
    read.set(changed[i] as string, asSettings(item));
  for (const [siteId, settings] of read) if (settings) known.add(siteId, settings);
  return siteIds.map((siteId, i) => {
    const state = states[i];
    const settings = read.has(siteId) ? read.get(siteId) : known.get<SiteSettings>(siteId, state?.settingsVersion);
    return settings && state && { settings, state };
  });
}

const asSettings = (item: Item | undefined) => item as SiteSettings | undefined;

export async function readSite(siteId: string, table: TableReader): Promise<SiteRecord | undefined> {
  const [site] = await readSites([siteId], table);
  return site;
}

export async function ownSite(siteId: string, orgId: string, table: TableReader): Promise<SiteRecord> {
  const site = await readSite(siteId, table);
  if (!site || site.settings.orgId !== orgId) throw new NotFoundError('Site');
  return site;
}

export async function siteIdsOf(orgId: string, table: TableReader): Promise<readonly string[]> {
  const siteIds: string[] = [];
  for await (const { sk } of everyItem(table, `ORG#${orgId}`, 'SITE#')) siteIds.push(sk.slice('SITE#'.length));
  return siteIds;
}

export async function sitesOf(orgId: string, table: TableReader): Promise<readonly SiteRecord[]> {
  const sites = await readSites(await siteIdsOf(orgId, table), table);
  return sites.filter((site) => site !== undefined);
}

function withLanguages(item: Item): SiteState {
  const fields = Object.keys(item).filter((name) => name.startsWith(LANGUAGE_FIELD));
  return { ...(item as unknown as SiteState), languages: fields.map((name) => name.slice(LANGUAGE_FIELD.length)) };
}
