import { hash } from 'node:crypto';
import { epochSeconds } from '../clock.ts';
import { everyItem, firstItems } from '../every-item.ts';
import type { SiteScope } from '../ports/page-index.ts';
import type { Change, Key, TableReader } from '../ports/table.ts';
import {
  generationPrefix,
  type PageIdentity,
  REMEMBERED_SECONDS,
  type RegisteredPage,
  readRows,
  removalKey,
} from './page-registry.ts';
import type { PageDeps, PageDraft } from './page-writer.ts';

/*
 * An item leads from a page's key to the page. It is written and removed in the transaction of the page's row.
 *
 * A page that is ingested at another URL than the one page with its key replaces that page: it has moved. If several
 * pages have the key, an owner shares it on purpose, and all stay; pages of one request may begin so. Of two pages that
 * take a key at once, the second is overtaken and looks again, because both count the takes of the key.
 */

/** A key of as many pages is shared for certain: one of them may be the page itself, others may be going. */
const CERTAINLY_SHARED = 5;

type KeyedPage = PageIdentity & Pick<RegisteredPage, 'key'>;

/** Common to the items of one key, which may be longer than a sort key. */
const keyPrefix = (generation: number, key: string): string =>
  `${generationPrefix(generation)}KEY#${hash('sha256', key, 'hex')}#`;

const keyPointer = ({ siteId, generation }: SiteScope, key: string, { urlHash }: PageIdentity): Key => ({
  pk: `SITE#${siteId}`,
  sk: keyPrefix(generation, key) + urlHash,
});

/** Makes at most two changes, for the transaction that replaces the row `before` by `after`. */
export function keyChanges(
  site: SiteScope,
  before: KeyedPage | undefined,
  after: KeyedPage | undefined,
): readonly Change[] {
  if (before?.key === after?.key) return [];
  return [
    ...(before?.key === undefined ? [] : [{ remove: keyPointer(site, before.key, before) }]),
    ...(after?.key === undefined
      ? []
      : [{ put: { ...keyPointer(site, after.key, after), url: after.url, urlHash: after.urlHash } }]),
  ];
}

/** The item that counts the takes of a key, remembered like a removal: longer than a writer can look back. */
const takeKey = ({ siteId, generation }: SiteScope, key: string): Key =>
  removalKey(siteId, generation, { urlHash: `KEY#${hash('sha256', key, 'hex')}` });

export type KeyTake = Required<Pick<PageDraft, 'replaces' | 'alsoWritten'>>;

/**
 * What pages with different keys write beside their rows when they take their keys, and the pages that they replace; by
 * URL hash. A page that has its key already takes nothing: two writers cannot both change its row. Pages of the same
 * request (URL hashes) are not replaced.
 */
export async function takeKeys(
  site: SiteScope,
  pages: readonly (KeyedPage & { readonly before: RegisteredPage | undefined })[],
  ofRequest: ReadonlySet<string>,
  { table, clock }: Pick<PageDeps, 'table' | 'clock'>,
): Promise<ReadonlyMap<string, KeyTake>> {
  const taking = pages.flatMap(({ key, before, ...page }) =>
    key === undefined || (before?.key === key && !before.removing) ? [] : { ...page, key },
  );
  if (taking.length === 0) return new Map();
  const keys = taking.map(({ key }) => key);
  const counts = await table.getMany<{ readonly takes: number }>(keys.map((key) => takeKey(site, key)));
  const pointers = await Promise.all(keys.map((key) => firstPointers(site, key, table)));
  const known = [...(await readRows(site, pointers.flat(), table)).values()];
  const expiresAt = epochSeconds(clock) + REMEMBERED_SECONDS;
  return new Map(
    taking.map(({ key, urlHash }, index) => {
      const takes = counts[index]?.takes;
      const take: Change = {
        put: { ...takeKey(site, key), takes: (takes ?? 0) + 1, expiresAt },
        when: { equals: { takes: takes ?? null } },
      };
      const others = known.filter((page) => page.key === key && page.urlHash !== urlHash && !page.removing);
      const isShared = others.length > 1 || pointers[index]?.length === CERTAINLY_SHARED;
      const isMoved = !isShared && others.every((other) => !ofRequest.has(other.urlHash));
      return [urlHash, { replaces: isMoved ? others : [], alsoWritten: [take] }];
    }),
  );
}

export async function pagesWithKeys(
  site: SiteScope,
  keys: readonly string[],
  table: TableReader,
): Promise<readonly RegisteredPage[]> {
  const identities = await Promise.all(keys.map((key) => pointersOf(site, key, table)));
  const rows = await readRows(site, identities.flat(), table);
  return [...rows.values()].filter(({ key }) => key !== undefined && keys.includes(key));
}

const firstPointers = ({ siteId, generation }: SiteScope, key: string, table: TableReader) =>
  firstItems<PageIdentity>(table, `SITE#${siteId}`, { prefix: keyPrefix(generation, key), limit: CERTAINLY_SHARED });

async function pointersOf(
  { siteId, generation }: SiteScope,
  key: string,
  table: TableReader,
): Promise<readonly PageIdentity[]> {
  const pointers: PageIdentity[] = [];
  for await (const { url, urlHash } of everyItem<PageIdentity>(table, `SITE#${siteId}`, keyPrefix(generation, key)))
    pointers.push({ url, urlHash });
  return pointers;
}
