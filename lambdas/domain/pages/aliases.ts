import type { SiteScope } from '../ports/page-index.ts';
import type { Key } from '../ports/table.ts';
import { type Aliases, generationPrefix, type PageIdentity } from './page-registry.ts';

/*
 * The aliases of a page are the other URLs at which a crawl found its text. Each has an item that leads to the page;
 * the page's row has the first of them, for lists and the index. Items are written before the row and removed after it,
 * so that each alias of a row has its item. An item without such a row is harmless.
 */

/** The item of an alias. `former`: pages whose rows may have it still, because its owner is being changed. */
export type AliasItem = {
  readonly url: string;
  readonly owner: PageIdentity;
  readonly former?: readonly PageIdentity[];
};

/** A row and an index entry have this many, which keeps them small. */
const MOST_URLS = 100;
const MOST_CHARACTERS = 20_000;
/** A list shows this many. */
const MOST_SHOWN = 20;

export const aliasPrefix = (generation: number): string => `${generationPrefix(generation)}ALIAS#`;

export const aliasKey = ({ siteId, generation }: SiteScope, urlHash: string): Key => ({
  pk: `SITE#${siteId}`,
  sk: aliasPrefix(generation) + urlHash,
});

/** Aliases as a row has them; undefined without any. */
export function boundedAliases(urls: readonly string[]): Aliases | undefined {
  if (urls.length === 0) return undefined;
  let characters = 0;
  const kept = urls
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .slice(0, MOST_URLS)
    .filter((url) => {
      characters += url.length;
      return characters <= MOST_CHARACTERS;
    });
  return { urls: kept, count: urls.length };
}

export const isSame = (one: Aliases | undefined, other: Aliases | undefined): boolean =>
  one?.count === other?.count && one?.urls.join(' ') === other?.urls.join(' ');

export const aliasesView = ({ urls, count }: Aliases = { urls: [], count: 0 }) => ({
  aliases: urls.slice(0, MOST_SHOWN),
  aliasCount: count,
});
