import { hash } from 'node:crypto';
import { everyItem } from '../every-item.ts';
import type { SiteScope } from '../ports/page-index.ts';
import type { Change, Key, TableReader } from '../ports/table.ts';
import { generationPrefix, type PageIdentity, type RegisteredPage, readRows } from './page-registry.ts';

/*
 * An item leads from a page's key to the page. It is written and removed in the transaction of the page's row. Several
 * pages may have the same key.
 */

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

export async function pagesWithKeys(
  site: SiteScope,
  keys: readonly string[],
  table: TableReader,
): Promise<readonly RegisteredPage[]> {
  const identities = await Promise.all(keys.map((key) => pointersOf(site, key, table)));
  const rows = await readRows(site, identities.flat(), table);
  return [...rows.values()].filter(({ key }) => key !== undefined && keys.includes(key));
}

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
