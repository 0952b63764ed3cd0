import { type RegisteredPage, registeredPages } from '../pages/page-registry.ts';
import { rebuildEntries } from '../pages/rebuild-entries.ts';
import type { PageStore } from '../ports/page-store.ts';
import type { Table } from '../ports/table.ts';
import { type SiteState, stateKey } from '../sites/site.ts';
import type { OpenedIndex, PagePosition } from './index-registry.ts';

/** About one request to an embedding provider, and one of a megabyte to the index. */
const PAGES_PER_BATCH = 20;
const CHUNKS_PER_BATCH = 128;

/** Puts the next pages of a site into an index. Answers the last of them, or undefined when there are no more. */
export async function backfillPages(
  siteId: string,
  after: PagePosition | undefined,
  target: OpenedIndex,
  deps: { readonly table: Table; readonly pageStore: PageStore },
): Promise<PagePosition | undefined> {
  const generation = (await deps.table.get<SiteState>(stateKey(siteId)))?.generation;
  if (generation === undefined) return undefined;
  const { items, next } = await registeredPages(siteId, generation, { limit: PAGES_PER_BATCH, after }, deps.table);
  const rows = firstBatch(items);
  await rebuildEntries({ siteId, generation }, rows, target, deps);
  const last = rows.at(-1);
  const isLast = next === undefined && rows.length === items.length;
  return isLast || !last ? undefined : { url: last.url, urlHash: last.urlHash };
}

function firstBatch(rows: readonly RegisteredPage[]): readonly RegisteredPage[] {
  let chunks = 0;
  const end = rows.findIndex((row, index) => {
    chunks += row.chunks;
    return index > 0 && chunks > CHUNKS_PER_BATCH;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
