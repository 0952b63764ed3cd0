import * as z from 'zod';
import { UnavailableError } from '../../../core/errors.ts';
import type { IndexEntry, PageRef, Visibility } from '../../../core/ports/page-index.ts';
import { type EngineIndex, parsed, refuseFault } from './engine-search.ts';
import { documentId, pageDocument } from './page-document.ts';
import { pagesBelow } from './scoped-queries.ts';

/** Characters of one request, unless a page alone is larger. */
const BULK_SIZE = 2_000_000;
/** What a page that is larger takes longer than others, by its characters. */
const MS_PER_CHARACTER = 1 / 1000;

const Item = z.looseObject({ status: z.number() });
const BulkAnswer = z.object({ items: z.array(z.record(z.string(), Item)) });
const Refreshed = z.object({ _shards: z.object({ failed: z.number() }) });
const Deleted = z.object({ deleted: z.number(), version_conflicts: z.number() });

const NEWER_IS_THERE = 409;
const MOST_AT_ONCE = 1000;

type Revision = PageRef & { readonly revision: number };

/** The engine keeps what has the highest version, so that writes may come twice and in any order. */
const target = (page: Revision, version: number) => ({
  _id: documentId(page),
  routing: page.siteId,
  version,
  version_type: 'external_gte',
});
/** A removal comes after the revision that it removes, also where that one is late. */
const versionPut = ({ revision }: Revision): number => 2 * revision;
const versionRemoved = ({ revision }: Revision): number => 2 * revision + 1;

/** Lines of a request that replace a page. */
export const putLines = (entry: IndexEntry, dimensions: number): string =>
  `${JSON.stringify({ index: target(entry, versionPut(entry)) })}\n${JSON.stringify(pageDocument(entry, dimensions))}\n`;

/** A line of a request that removes a page. */
export const removeLine = (page: Revision): string =>
  `${JSON.stringify({ delete: target(page, versionRemoved(page)) })}\n`;

/** Sends lines in as few requests as their size allows, made one by one: all of them together may not fit in the memory. */
export async function write(index: EngineIndex, lines: Iterable<string>, visible: Visibility): Promise<void> {
  let batch: string[] = [];
  let size = 0;
  for (const line of lines) {
    if (batch.length > 0 && size + line.length > BULK_SIZE) {
      await bulk(index, batch, visible);
      batch = [];
      size = 0;
    }
    batch.push(line);
    size += line.length;
  }
  if (batch.length > 0) await bulk(index, batch, visible);
}

async function bulk({ engine, name }: EngineIndex, lines: readonly string[], visible: Visibility): Promise<void> {
  // Were the index missing, the engine would make one without a mapping, unless an alias is required.
  const query = { require_alias: true, refresh: visible === 'now' };
  const body = lines.join('');
  const limitMs = engine.limitMs + Math.max(0, body.length - BULK_SIZE) * MS_PER_CHARACTER;
  const answer = await engine.send({ method: 'POST', path: `/${name}/_bulk`, query, body, limitMs });
  const items = parsed(BulkAnswer, answer).items.flatMap((item) => Object.values(item));
  if (items.length !== lines.length) throw new UnavailableError('The search engine answered other writes');
  for (const item of items) if (item.status !== NEWER_IS_THERE) refuseFault(item);
}

/** Makes visible what was written, in every part of the index. */
export async function refresh({ engine, name }: EngineIndex): Promise<void> {
  const answer = await engine.send({ method: 'POST', path: `/${name}/_refresh` });
  const { failed } = parsed(Refreshed, answer)._shards;
  if (failed > 0) throw new UnavailableError('The search engine did not refresh the whole index');
}

/** Whether none is left of a site's pages of generations below this one, after up to `limit` of them have been removed. */
export async function removeBelow(
  index: EngineIndex,
  siteId: string,
  generation: number,
  limit: number,
): Promise<boolean> {
  const { engine, name } = index;
  const { routing, body } = pagesBelow(siteId, generation);
  await refresh(index); // what was put a moment ago is to be found
  const query = {
    routing,
    conflicts: 'proceed',
    max_docs: limit,
    scroll_size: Math.min(limit, MOST_AT_ONCE),
    refresh: true,
  };
  const answer = await engine.send({ method: 'POST', path: `/${name}/_delete_by_query`, query, body });
  const { deleted, version_conflicts } = parsed(Deleted, answer);
  return deleted + version_conflicts < limit && version_conflicts === 0;
}
