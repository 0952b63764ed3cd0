import { NotFoundError } from '../errors.ts';
import { everyItem } from '../every-item.ts';
import type { Item, Key, Table } from '../ports/table.ts';
import type {
  CrawlerConfig,
  MetadataField,
  PublicAccess,
  RateLimits,
  RemovalPolicy,
  TagBoost,
  UrlBoost,
} from './site-settings.ts';

/** What the owner set. `version` rises with every change, so that two changes at once do not lose one. */
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
  readonly rateLimits: RateLimits;
  readonly crawlerConfig: CrawlerConfig;
  /** The version in which `singleUrls` were last given; absent: at the beginning. */
  readonly singleUrlsSince?: number;
  readonly metadataSchema: readonly MetadataField[];
  readonly tagBoosts: readonly TagBoost[];
  readonly urlBoosts: readonly UrlBoost[];
  readonly removalPolicy: RemovalPolicy;
  /** `host:port` of the laptop's own demo, which this one site may crawl though it is private. Never set through the API. */
  readonly privateHost?: string;
};

export type CrawlEnd = {
  readonly jobId: string;
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly error?: string;
  readonly errorCode?: string;
};

/** What the service knows of a site. It has no version, so that a crawl never makes a change of settings fail. */
export type SiteState = {
  /** The job that holds the site's lock. */
  readonly runningJobId: string | null;
  readonly pageCount: number;
  /** The highest revision that was handed out. */
  readonly revision: number;
  /** Part of every page's key: a purge raises it, and all pages are gone at once. */
  readonly generation: number;
  /** The languages of its pages, as `searchedLanguage` has them: a query is read in each. Kept as fields of their own: `languageField`. */
  readonly languages?: readonly string[];
  readonly lastCrawl?: CrawlEnd;
  readonly lastCrawledAt?: number;
  /** Where the base URL leads within its domain, as the last crawl found it. */
  readonly effectiveBaseUrl?: string;
  /** The version of the settings whose `singleUrls` a crawl has used up. */
  readonly consumedList?: number;
  /** Names the items that hold the saved crawl scope, and how many these are. None: the whole site is crawled. */
  readonly scopeVersion?: string | null;
  readonly scopeParts?: number;
};

const LANGUAGE_FIELD = 'language:';
/** Says of a state that a page has this language. Each is a field of its own, so that of two who add one at once both are kept. */
export const languageField = (language: string): string => LANGUAGE_FIELD + language;

export const settingsKey = (siteId: string): Key => ({ pk: `SITE#${siteId}`, sk: 'SITE' });
export const stateKey = (siteId: string): Key => ({ pk: `SITE#${siteId}`, sk: 'STATE' });
export const sitePointerKey = (orgId: string, siteId: string): Key => ({ pk: `ORG#${orgId}`, sk: `SITE#${siteId}` });

export type SiteRecord = { readonly settings: SiteSettings; readonly state: SiteState };

/** As the next crawl will have it: without the `singleUrls` that one has used up. */
export function crawlerConfigOf({ settings, state }: SiteRecord): CrawlerConfig {
  const { singleUrls, ...others } = settings.crawlerConfig;
  return state.consumedList === singleUrlsVersion(settings) ? others : settings.crawlerConfig;
}

export const singleUrlsVersion = ({ singleUrlsSince }: SiteSettings): number => singleUrlsSince ?? 1;

/** The site, whoever owns it; undefined when there is none. */
export async function readSite(siteId: string, table: Table): Promise<SiteRecord | undefined> {
  const [settings, state] = await table.getMany([settingsKey(siteId), stateKey(siteId)]);
  return asRecord(settings, state);
}

/** Another organisation's site is not found, like one that never was. */
export async function ownSite(siteId: string, orgId: string, table: Table): Promise<SiteRecord> {
  const site = await readSite(siteId, table);
  if (!site || site.settings.orgId !== orgId) throw new NotFoundError('Site');
  return site;
}

/** Bounded by the plan's quota of sites. */
export async function sitesOf(orgId: string, table: Table): Promise<readonly SiteRecord[]> {
  const siteIds: string[] = [];
  for await (const { sk } of everyItem(table, `ORG#${orgId}`, 'SITE#')) siteIds.push(sk.slice('SITE#'.length));
  const items = await table.getMany(siteIds.flatMap((siteId) => [settingsKey(siteId), stateKey(siteId)]));
  return siteIds.flatMap((_, place) => asRecord(items[2 * place], items[2 * place + 1]) ?? []);
}

function asRecord(settings: Item | undefined, state: Item | undefined): SiteRecord | undefined {
  return settings && state && { settings: settings as unknown as SiteSettings, state: withLanguages(state) };
}

function withLanguages(item: Item): SiteState {
  const fields = Object.keys(item).filter((name) => name.startsWith(LANGUAGE_FIELD));
  return { ...(item as unknown as SiteState), languages: fields.map((name) => name.slice(LANGUAGE_FIELD.length)) };
}
