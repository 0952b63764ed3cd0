import { defined } from '../../text/defined.ts';
import { listedUrl } from '../../text/web/listed-url.ts';
import { normaliseUrl, originOf } from '../../text/web/url.ts';
import { AppError, UnavailableError } from '../errors.ts';
import { everyItem } from '../every-item.ts';
import type { AddressCheck } from '../ports/address-check.ts';
import type { Item, Table, TableReader } from '../ports/table.ts';
import type { Caller } from './access/api-key.ts';
import { effectiveBaseUrl, ownSite, type SiteRecord, type SiteState, stateKey } from './site.ts';

/*
 * The saved crawl scope of a site is the list of URLs to which its crawls are restricted until it is cleared. The items
 * are written under a new version, which the site's state then names. A reader thus sees either the old list or the new
 * one, never a part.
 */

export type ReplacedUrls = { readonly urls: readonly string[]; readonly rejected: number; readonly warning?: string };

/** Maximum number of attempts. A failed attempt means that another change came first. */
const ATTEMPTS = 100;

/** Returns the saved URLs in the given order; empty if crawls visit the whole site. */
export async function crawlUrls(
  siteId: string,
  { orgId }: Pick<Caller, 'orgId'>,
  table: TableReader,
): Promise<readonly string[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { state } = await ownSite(siteId, orgId, table);
    const parts: (readonly string[])[] = [];
    for await (const { urls } of everyItem<{ urls: readonly string[] }>(table, `SITE#${siteId}`, prefixOf(state)))
      parts.push(urls);
    if (parts.length === (state.scopeParts ?? 0)) return parts.flat();
  }
  throw new UnavailableError('The crawl scope is being changed by other requests. Try again.');
}

/** Returns the scope as the API shows it, with a warning if the base URL has changed since. */
export async function crawlScope(siteId: string, { orgId }: Pick<Caller, 'orgId'>, table: TableReader) {
  const urls = await crawlUrls(siteId, { orgId }, table);
  const warning = offSiteWarning(urls, await ownSite(siteId, orgId, table));
  return { urls, count: urls.length, ...defined({ warning }) };
}

/** Warns about saved URLs outside the site's present base URL. */
export function offSiteWarning(urls: readonly string[], site: SiteRecord): string | undefined {
  const origins = originsOf(site);
  const off = urls.filter((url) => !origins.some((origin) => url.startsWith(`${origin}/`))).length;
  if (off === 0) return undefined;
  const { origin } = new URL(site.settings.baseUrl);
  const which = `${off} of the ${urls.length} URLs of the crawl scope`;
  return `Crawls skip ${which} as out_of_scope: not on ${origin}. Replace or clear the crawl scope.`;
}

/**
 * Replaces the scope with those of the URLs that are on the site. Throws if the site itself cannot be crawled, or if
 * that cannot be verified now.
 */
export async function replaceCrawlUrls(
  siteId: string,
  written: readonly string[],
  { orgId }: Pick<Caller, 'orgId'>,
  {
    table,
    checkAddress,
    newId,
  }: { readonly table: Table; readonly checkAddress: AddressCheck; readonly newId: () => string },
): Promise<ReplacedUrls> {
  const site = await ownSite(siteId, orgId, table);
  await assertCrawlable(site, checkAddress);
  const kept = written.map((url) => urlOfSite(url, site)).filter((url) => url !== undefined);
  const urls = [...new Set(kept)];
  await store(site, urls, newId(), table);
  const rejected = written.length - kept.length;
  return { urls, rejected, ...(rejected > 0 && { warning: warning(site, rejected, urls.length) }) };
}

export async function clearCrawlUrls(
  siteId: string,
  { orgId }: Pick<Caller, 'orgId'>,
  { table, newId }: { readonly table: Table; readonly newId: () => string },
): Promise<void> {
  await store(await ownSite(siteId, orgId, table), [], newId(), table);
}

async function assertCrawlable({ settings }: SiteRecord, checkAddress: AddressCheck): Promise<void> {
  const { baseUrl, privateHost } = settings;
  const verdict = normaliseUrl(baseUrl) === undefined ? 'no_url' : await checkAddress(baseUrl, privateHost);
  const host = URL.parse(baseUrl)?.host ?? baseUrl;
  const refuse = (reason: string) => new AppError('invalid_request', `The site cannot be crawled: ${host} ${reason}`);
  if (verdict === 'no_url') throw refuse('is not a web address');
  // Both cases have the same message, so that nobody can probe names of the operator's network.
  if (verdict === 'no_such_host' || verdict === 'private') throw refuse('has no public address');
  if (verdict === 'unverified')
    throw new AppError(
      'address_unverified',
      `The address of ${host} cannot be verified now: nothing was changed, try again`,
    );
}

/** Returns the site's origin, and the origin to which the site has moved. */
function originsOf(site: SiteRecord): readonly (string | undefined)[] {
  const { baseUrl } = site.settings;
  return [baseUrl, effectiveBaseUrl(site) ?? baseUrl].map(originOf);
}

/** Returns the normalised URL if it is on the site. */
function urlOfSite(written: string, site: SiteRecord): string | undefined {
  const url = listedUrl(written, site.settings.baseUrl);
  return url !== undefined && originsOf(site).includes(originOf(url)) ? url : undefined;
}

function warning({ settings }: SiteRecord, rejected: number, count: number): string {
  const off = `not on ${originOf(settings.baseUrl)}`;
  const dropped =
    rejected === 1 ? `1 URL was dropped: it is ${off}.` : `${rejected} URLs were dropped: they are ${off}.`;
  return count > 0 ? dropped : `${dropped} No URL is left, so the whole site will be crawled.`;
}

const PART_CHARACTERS = 200_000;

/** Splits URLs into parts that each fit into an item of the table. */
export function urlParts(urls: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let room = 0;
  for (const url of urls) {
    if (url.length > room) {
      parts.push([]);
      room = PART_CHARACTERS;
    }
    parts.at(-1)?.push(url);
    room -= url.length;
  }
  return parts;
}

const ALL = 'SCOPE#';
const prefixOf = ({ scopeVersion }: SiteState): string => `${ALL}${scopeVersion ?? 'none'}#`;

/** Stores the URLs. Of two concurrent changes, the later one wins. */
async function store({ settings }: SiteRecord, urls: readonly string[], version: string, table: Table): Promise<void> {
  const { siteId, orgId } = settings;
  const pk = `SITE#${siteId}`;
  const items = urlParts(urls).map(
    (part, index): Item => ({ pk, sk: `${ALL}${version}#${String(index).padStart(4, '0')}`, urls: part }),
  );
  await table.putMany(items);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { state } = await ownSite(siteId, orgId, table);
    const changed = await table.update(stateKey(siteId), {
      set: { scopeVersion: items.length > 0 ? version : null, scopeParts: items.length },
      when: { exists: true, equals: { scopeVersion: state.scopeVersion ?? null } },
    });
    if (!changed) continue;
    for await (const old of everyItem(table, pk, prefixOf(state))) await table.removeMany([old]);
    return;
  }
  await table.removeMany(items);
  throw new UnavailableError('The crawl scope is being changed by other requests. Try again.');
}
