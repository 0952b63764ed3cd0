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
 * An item that names the page is stored for each page's key. It is written and removed in the transaction of the page's
 * row.
 *
 * If a page is ingested at another URL than the only page with its key, it has moved and replaces that page. If several
 * pages have the key, the owner shares it on purpose, and all stay. The pages of one request may share a key from the
 * start. If two pages take a key at once, the second is overtaken and tried again, because both count the takes of the
 * key.
 */

/** A key with this many pages is certainly shared, even if one is the page itself and others are being removed. */
const CERTAINLY_SHARED = 5;

type KeyedPage = PageIdentity & Pick<RegisteredPage, 'key'>;

/** Returns the prefix of a key's items. It hashes the key, which may be longer than a sort key. */
const keyPrefix = (generation: number, key: string): string =>
  `${generationPrefix(generation)}KEY#${hash('sha256', key, 'hex')}#`;

const keyPointer = ({ siteId, generation }: SiteScope, key: string, { urlHash }: PageIdentity): Key => ({
  pk: `SITE#${siteId}`,
  sk: keyPrefix(generation, key) + urlHash,
});

/** Returns at most two changes, for the transaction that replaces the row `before` with `after`. */
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

/**
 * Returns the key of the item that counts the takes of a page's key. It is kept like a removal, longer than a writer
 * may look back.
 */
const takeKey = ({ siteId, generation }: SiteScope, key: string): Key =>
  removalKey(siteId, generation, { urlHash: `KEY#${hash('sha256', key, 'hex')}` });

export type KeyTake = Required<Pick<PageDraft, 'replaces' | 'alsoWritten'>>;

/**
 * Returns, by URL hash, the changes to write together with the rows of pages that take a key, and the pages that they
 * replace. The pages have different keys. A page that already has its key takes nothing, because two writers cannot
 * both change its row. Pages of the same request (URL hashes) are not replaced.
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
