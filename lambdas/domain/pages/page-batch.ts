import type { SiteScope } from '../ports/page-index.ts';
import type { Table } from '../ports/table.ts';
import { type PageIdentity, type RegisteredPage, registeredPages } from './page-registry.ts';

/** Size of about one request to an embedding provider, and one of a megabyte to the index. */
const PAGES_PER_BATCH = 20;
const CHUNKS_PER_BATCH = 128;

export type PageBatch = {
  readonly rows: readonly RegisteredPage[];
  /** The last of the rows; undefined if there are no more pages. */
  readonly next: PageIdentity | undefined;
};

/** Returns the next pages of a site by URL, as many as are indexed at once. */
export async function nextPages(
  { siteId, generation }: SiteScope,
  after: PageIdentity | undefined,
  table: Table,
): Promise<PageBatch> {
  const { items, next } = await registeredPages(siteId, generation, { limit: PAGES_PER_BATCH, after }, table);
  const rows = firstBatch(items);
  const last = rows.at(-1);
  const isLast = next === undefined && rows.length === items.length;
  return { rows, next: isLast || !last ? undefined : { url: last.url, urlHash: last.urlHash } };
}

function firstBatch(rows: readonly RegisteredPage[]): readonly RegisteredPage[] {
  let chunks = 0;
  const end = rows.findIndex((row, index) => {
    chunks += row.chunks;
    return index > 0 && chunks > CHUNKS_PER_BATCH;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
