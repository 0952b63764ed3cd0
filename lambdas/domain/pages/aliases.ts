import type { SiteScope } from '../ports/page-index.ts';
import type { Key } from '../ports/table.ts';
import { type Aliases, generationPrefix, type PageIdentity } from './page-registry.ts';

/*
 * The aliases of a page are the other URLs at which a crawl found its text. Each alias has an item that names the page.
 * The page's row has the first aliases, for lists and the index. Items are written before the row and removed after it,
 * so that each alias of a row has its item. An item without such a row is harmless.
 */

/** The item of an alias. `former`: pages whose rows may still have the alias, because its owner is being changed. */
export type AliasItem = {
  readonly url: string;
  readonly owner: PageIdentity;
  readonly former?: readonly PageIdentity[];
};

/** Maximum number of aliases in a row and an index entry, to keep them small. */
const MAX_URLS = 100;
const MAX_CHARACTERS = 20_000;
/** Maximum number of aliases that a list shows. */
const MAX_SHOWN = 20;

export const aliasPrefix = (generation: number): string => `${generationPrefix(generation)}ALIAS#`;

export const aliasKey = ({ siteId, generation }: SiteScope, urlHash: string): Key => ({
  pk: `SITE#${siteId}`,
  sk: aliasPrefix(generation) + urlHash,
});

/** Returns the aliases that fit into a row; undefined if there are none. */
export function boundedAliases(urls: readonly string[]): Aliases | undefined {
  if (urls.length === 0) return undefined;
  let characters = 0;
  const kept = urls
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .slice(0, MAX_URLS)
    .filter((url) => {
      characters += url.length;
      return characters <= MAX_CHARACTERS;
    });
  return { urls: kept, count: urls.length };
}

export const isSame = (one: Aliases | undefined, other: Aliases | undefined): boolean =>
  one?.count === other?.count && one?.urls.join(' ') === other?.urls.join(' ');

export const aliasesView = ({ urls, count }: Aliases = { urls: [], count: 0 }) => ({
  aliases: urls.slice(0, MAX_SHOWN),
  aliasCount: count,
});
