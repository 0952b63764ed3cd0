import type { PageStore, Table } from '../../adapters/ports.ts';
import { indexEntries } from '../content/index-entry.ts';
import { metadataFacts } from '../ingest/metadata-facts.ts';
import { pageKey, type RegisteredPage, registeredPages } from '../sites/page-registry.ts';
import { type SiteState, stateKey } from '../sites/site.ts';
import type { SpaceSide } from './moving-index.ts';

/** So much is read, embedded and written together, or one page: about one request to a provider, and one of a megabyte to the index. */
const MOST_PAGES = 20;
const MOST_CHUNKS = 128;

export type PagePlace = Pick<RegisteredPage, 'url' | 'urlHash'>;

type RebuildDeps = { readonly table: Table; readonly pageStore: PageStore };

/**
 * Puts the next pages of a site into an index, from their registry rows and stored texts. Answers after which page to go on, or
 * undefined when all are there. Doing it again is harmless: whoever writes or removes a page meanwhile does it in that index too, with
 * a revision that is not lower.
 */
export async function rebuildPages(
  siteId: string,
  after: PagePlace | undefined,
  { index, embedder }: SpaceSide,
  { table, pageStore }: RebuildDeps,
): Promise<PagePlace | undefined> {
  const generation = await generationOf(siteId, table);
  if (generation === undefined) return undefined;
  const { items, next } = await registeredPages(siteId, generation, { limit: MOST_PAGES, after }, table);
  const rows = firstOf(items);
  const texts = await pageStore.get(rows.map(({ urlHash, revision }) => ({ siteId, generation, urlHash, revision })));
  const pages = rows.flatMap((row, place) => {
    const content = texts[place]; // none: the page has been written anew since, to this index too
    return content ? [{ siteId, generation, row, content, facts: metadataFacts(content.metadata) }] : [];
  });
  const entries = await indexEntries(pages, embedder);
  // To embed may take long: what was removed long ago the index may have forgotten, and it would take it for new.
  const isThere = await stillThere(siteId, generation, pages, table);
  const left = entries.filter((_, place) => isThere[place]);
  if (left.length > 0) await index.put(left, { visible: 'soon' });
  const last = rows.at(-1);
  const isLast = next === undefined && rows.length === items.length;
  return isLast || !last ? undefined : { url: last.url, urlHash: last.urlHash };
}

async function generationOf(siteId: string, table: Table): Promise<number | undefined> {
  return (await table.get<SiteState>(stateKey(siteId)))?.generation;
}

/** As many as are to be worked together. */
function firstOf(rows: readonly RegisteredPage[]): readonly RegisteredPage[] {
  let chunks = 0;
  const beyond = rows.findIndex((row, place) => {
    chunks += row.chunks;
    return place > 0 && chunks > MOST_CHUNKS;
  });
  return beyond === -1 ? rows : rows.slice(0, beyond);
}

/** Whether the site has each page still, in the same revision. */
async function stillThere(
  siteId: string,
  generation: number,
  pages: readonly { readonly row: RegisteredPage }[],
  table: Table,
): Promise<readonly boolean[]> {
  const [state, ...rows] = await table.getMany<{ readonly generation?: number; readonly revision?: number }>([
    stateKey(siteId),
    ...pages.map(({ row }) => pageKey(siteId, generation, row)),
  ]);
  return pages.map(({ row }, place) => state?.generation === generation && rows[place]?.revision === row.revision);
}
