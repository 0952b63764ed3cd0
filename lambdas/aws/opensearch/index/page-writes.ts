import * as z from 'zod';
import { TooLargeError, UnavailableError } from '../../../domain/errors.ts';
import type { IndexEntry, PageRef, Visibility } from '../../../domain/ports/page-index.ts';
import { type IndexRef, parseAnswer, throwIfFailed } from '../search/multi-search.ts';
import { pagesBelow } from '../search/scoped-queries.ts';
import { documentId, pageDocument } from './page-document.ts';

/** Maximum characters of one bulk request; a larger page is sent alone. */
const MAX_BULK_LENGTH = 2_000_000;
/** Milliseconds added to the time limit for each character beyond `MAX_BULK_LENGTH`. */
const MS_PER_CHARACTER = 1 / 1000;

const Item = z.looseObject({ status: z.number() });
const BulkAnswer = z.object({ items: z.array(z.record(z.string(), Item)) });
const Refreshed = z.object({ _shards: z.object({ failed: z.number() }) });
const Deleted = z.object({ deleted: z.number(), version_conflicts: z.number() });

/** The status of a write whose page has a newer version in the index. */
const VERSION_CONFLICT = 409;
const SCROLL_SIZE = 1000;

type PageRevision = PageRef & { readonly revision: number };

/** Uses external versions: OpenSearch keeps the highest one, so writes may be repeated and arrive in any order. */
const bulkTarget = (page: PageRevision, version: number) => ({
  _id: documentId(page),
  routing: page.siteId,
  version,
  version_type: 'external_gte',
});
/** Returns the version of a write. That of a removal is higher, so a late put of the removed revision has no effect. */
const putVersion = ({ revision }: PageRevision): number => 2 * revision;
const removalVersion = ({ revision }: PageRevision): number => 2 * revision + 1;

/** The bulk lines of one page. */
export type PageWrite = {
  readonly lines: string;
  /** Returns the write with half of the page's chunks; undefined if the page has no chunks left. */
  readonly shorter?: () => PageWrite | undefined;
};

/** Returns the write that replaces a page. */
export function putLines(entry: IndexEntry, dimensions: number): PageWrite {
  const { chunks } = entry;
  const action = { index: bulkTarget(entry, putVersion(entry)) };
  const half = () => putLines({ ...entry, chunks: chunks.slice(0, Math.floor(chunks.length / 2)) }, dimensions);
  return {
    lines: `${JSON.stringify(action)}\n${JSON.stringify(pageDocument(entry, dimensions))}\n`,
    shorter: () => (chunks.length > 0 ? half() : undefined),
  };
}

/** Returns the write that removes a page. */
export const removeLine = (page: PageRevision): PageWrite => ({
  lines: `${JSON.stringify({ delete: bulkTarget(page, removalVersion(page)) })}\n`,
});

/** Sends bulk requests. `writes` is lazy, because all documents together may not fit into memory. */
export async function write(index: IndexRef, writes: Iterable<PageWrite>, visible: Visibility): Promise<void> {
  let batch: PageWrite[] = [];
  let length = 0;
  for (const each of writes) {
    if (batch.length > 0 && length + each.lines.length > MAX_BULK_LENGTH) {
      await writeBatch(index, batch, visible);
      batch = [];
      length = 0;
    }
    batch.push(each);
    length += each.lines.length;
  }
  if (batch.length > 0) await writeBatch(index, batch, visible);
}

/**
 * Writes a batch. A batch that OpenSearch refuses as too large is split in halves, down to the first chunks of one
 * page.
 */
async function writeBatch(index: IndexRef, batch: readonly PageWrite[], visible: Visibility): Promise<void> {
  try {
    await bulk(
      index,
      batch.map(({ lines }) => lines),
      visible,
    );
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    const [first, ...others] = batch;
    if (others.length > 0) {
      const middle = Math.ceil(batch.length / 2);
      await writeBatch(index, batch.slice(0, middle), visible);
      await writeBatch(index, batch.slice(middle), visible);
      return;
    }
    const shorter = first?.shorter?.();
    if (!shorter) throw new UnavailableError(error.message, { cause: error }); // the page is not the cause
    await writeBatch(index, [shorter], visible);
  }
}

async function bulk({ client, name }: IndexRef, lines: readonly string[], visible: Visibility): Promise<void> {
  // Without `require_alias`, OpenSearch would create a missing index with a mapping of its own.
  const query = { require_alias: true, refresh: visible === 'now' };
  const body = lines.join('');
  const limitMs = client.limitMs + Math.max(0, body.length - MAX_BULK_LENGTH) * MS_PER_CHARACTER;
  const answer = await client.send({ method: 'POST', path: `/${name}/_bulk`, query, body, limitMs });
  const items = parseAnswer(BulkAnswer, answer).items.flatMap((item) => Object.values(item));
  if (items.length !== lines.length) throw new UnavailableError('OpenSearch answered another number of writes');
  for (const item of items) if (item.status !== VERSION_CONFLICT) throwIfFailed(item);
}

export async function refresh({ client, name }: IndexRef): Promise<void> {
  const answer = await client.send({ method: 'POST', path: `/${name}/_refresh` });
  const { failed } = parseAnswer(Refreshed, answer)._shards;
  if (failed > 0) throw new UnavailableError('OpenSearch did not refresh every shard of the index');
}

export async function removeBelow(
  index: IndexRef,
  siteId: string,
  generation: number,
  limit: number,
): Promise<boolean> {
  const { client, name } = index;
  const { routing, body } = pagesBelow(siteId, generation);
  await refresh(index); // delete-by-query finds only visible pages
  const query = {
    routing,
    conflicts: 'proceed',
    max_docs: limit,
    scroll_size: Math.min(limit, SCROLL_SIZE),
    refresh: true,
  };
  const answer = await client.send({ method: 'POST', path: `/${name}/_delete_by_query`, query, body });
  const { deleted, version_conflicts } = parseAnswer(Deleted, answer);
  return deleted + version_conflicts < limit && version_conflicts === 0;
}
