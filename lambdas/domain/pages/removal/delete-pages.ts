import { normaliseUrl, originOf, urlHash } from '../../../text/web/url.ts';
import { AppError } from '../../errors.ts';
import type { SiteScope } from '../../ports/page-index.ts';
import type { Table } from '../../ports/table.ts';
import type { Caller } from '../../sites/access/api-key.ts';
import { effectiveBaseUrl, ownSite } from '../../sites/site.ts';
import { pagesWithKeys } from '../page-keys.ts';
import { type RegisteredPage, readRows } from '../page-registry.ts';
import type { PageDeps } from '../page-writer.ts';
import { MAX_REMOVED } from '../remove-pages.ts';
import { Deletion } from './deletion.ts';
import { PatternWalk } from './pattern-walk.ts';

export type PagesToDelete = {
  readonly siteId: string;
  readonly urls?: readonly string[] | undefined;
  readonly patterns?: readonly string[] | undefined;
  readonly keys?: readonly string[] | undefined;
};

export type DeletedPages = {
  readonly siteId: string;
  readonly requestedUrls: number;
  readonly deletedPages: number;
  readonly deletedChunks: number;
  /**
   * Whether all pages are deleted. If not, the same request continues, within ten minutes from where this one stopped.
   */
  readonly complete: boolean;
  readonly message: string;
};

/** Deletes pages for at most 24 s. Once it has returned, no search finds the deleted pages. */
export async function deletePages(
  { siteId, urls = [], patterns = [], keys = [] }: PagesToDelete,
  { orgId }: Pick<Caller, 'orgId'>,
  deps: PageDeps,
): Promise<DeletedPages> {
  const owned = await ownSite(siteId, orgId, deps.table);
  const { settings, state } = owned;
  const matchesPattern = await patternTest(patterns, [settings.baseUrl, effectiveBaseUrl(owned)]);
  const site = { siteId, generation: state.generation };
  const deletion = new Deletion(site, deps);
  const wantedKeys = new Set(keys);
  const hasKey = ({ key }: RegisteredPage): boolean => key !== undefined && wantedKeys.has(key);
  await deletion.delete(pagesAt(urls, settings.baseUrl, site, deps.table), () => true);
  await deletion.delete(keyedPages([...wantedKeys], site, deps.table), hasKey);
  if (matchesPattern) {
    const walk = await PatternWalk.open(site, patterns, deps);
    await deletion.delete(walk.parts(matchesPattern), matchesPattern);
    await walk.end(deletion.stopsCleanly);
  }
  const { deletedPages, deletedChunks, complete } = await deletion.end();
  const message = messageOf(deletedPages, complete);
  return { siteId, requestedUrls: urls.length, deletedPages, deletedChunks, complete, message };
}

/** Deletes pages by URL only, and returns the answer of `index-pages`. */
export async function deleteIndexPages(
  request: Pick<PagesToDelete, 'siteId' | 'urls'>,
  caller: Pick<Caller, 'orgId'>,
  deps: PageDeps,
) {
  const { complete, requestedUrls, deletedPages, deletedChunks } = await deletePages(request, caller, deps);
  return { success: complete, requested: requestedUrls, deleted: deletedPages, deletedChunks };
}

function messageOf(deletedPages: number, complete: boolean): string {
  const deleted = `Deleted ${deletedPages} ${deletedPages === 1 ? 'page' : 'pages'}`;
  return complete
    ? `${deleted}.`
    : `${deleted}, but not all. Repeat the request: it goes on with the pages that are left.`;
}

type RowTest = (row: RegisteredPage) => boolean;

async function patternTest(
  patterns: readonly string[],
  baseUrls: readonly (string | undefined)[],
): Promise<RowTest | undefined> {
  if (patterns.length === 0) return undefined;
  // The regular-expression engine is large, so only requests with patterns load it.
  const { isTooBroad, patternFault, urlPatterns } = await import('../../../text/web/url-patterns.ts');
  const issues = patterns.flatMap((pattern, index) => {
    const message = patternFault(pattern);
    return message === undefined ? [] : { path: `body.patterns.${index}`, message };
  });
  const [first] = issues;
  if (first) throw new AppError('invalid_request', `Invalid request: ${first.path} ${first.message}`, { issues });
  const origins = baseUrls.flatMap((url = '') => originOf(url) ?? []);
  const broad = patterns.find((pattern) => isTooBroad(pattern, origins));
  if (broad !== undefined) throw tooBroad(broad);
  const test = urlPatterns(patterns);
  return ({ url, givenUrl }) => test(url) || (givenUrl !== undefined && test(givenUrl));
}

const tooBroad = (pattern: string): AppError =>
  new AppError(
    'pattern_too_broad',
    `The pattern ${pattern} matches every page. Name a part of the path or the whole host, or purge the site.`,
  );

/** Yields the pages at the URLs. A URL as given and its normalised form find the same page. */
async function* pagesAt(
  urls: readonly string[],
  baseUrl: string,
  site: SiteScope,
  table: Table,
): AsyncGenerator<readonly RegisteredPage[]> {
  const distinct = new Set(urls.flatMap((url) => normaliseUrl(url, baseUrl) ?? []));
  const pages = Array.from(distinct, (url) => ({ url, urlHash: urlHash(url) }));
  for (let start = 0; start < pages.length; start += MAX_REMOVED)
    yield [...(await readRows(site, pages.slice(start, start + MAX_REMOVED), table)).values()];
}

async function* keyedPages(
  keys: readonly string[],
  site: SiteScope,
  table: Table,
): AsyncGenerator<readonly RegisteredPage[]> {
  for (let start = 0; start < keys.length; start += MAX_REMOVED)
    yield await pagesWithKeys(site, keys.slice(start, start + MAX_REMOVED), table);
}
