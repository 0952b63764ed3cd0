import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { embedder, provider } from '../../lambdas/connectors/embedder/configured.ts';
import { everyItem } from '../../lambdas/domain/every-item.ts';
import { type EnsureIndexDeps, ensureSearchedIndex } from '../../lambdas/domain/pages/reindexing/ensure-index.ts';
import { readSite } from '../../lambdas/domain/sites/site.ts';
import { EVERY_SITE } from '../../lambdas/domain/sites/site-directory.ts';
import { env } from '../../lambdas/env.ts';
import { log } from '../../lambdas/runtime/log.ts';
import { clock, newId } from '../../lambdas/runtime/system.ts';
import { SEGMENT_FORMAT } from '../../lambdas/search-engine/segment-format.ts';
import { store } from '../threads/store.ts';

/** The timeout of a call. Creating an index takes longer than a search. */
const OPENSEARCH_TIMEOUT_MS = 30_000;
/**
 * The pause until all threads know an index: longer than a write, and longer than a thread caches the registry of
 * indexes.
 */
const PAUSE_SECONDS = 10;

/** The options of reindexing at a start, which begins at once because no other process writes. */
const atStart = { table, queue, clock, fillAfterSeconds: 0, pauseSeconds: PAUSE_SECONDS };

/** Ensures that an index of the configured embedding model exists. Reindexes if pages are missing from it. */
export async function prepareSearchIndex(): Promise<void> {
  const { OPENSEARCH_URL: url } = env;
  if (url === undefined) return ensureSqliteIndex();
  if (!import.meta.resolve('#adapters/page-index').includes('/aws/'))
    throw new Error('OPENSEARCH_URL is set, but node runs without --conditions=opensearch: start with `npm start`');
  const [{ openSearchClient }, { ensureIndex }, { isIndexName, newIndexName }, { configuredIndex }] = await Promise.all(
    [
      import('../../lambdas/aws/opensearch/client.ts'),
      import('../../lambdas/aws/opensearch/index/index-admin.ts'),
      import('../../lambdas/aws/opensearch/index-name.ts'),
      import('../../lambdas/aws/opensearch/index/configured-index.ts'),
    ],
  );
  const engine = openSearchClient(url, { limitMs: OPENSEARCH_TIMEOUT_MS });
  const deps: EnsureIndexDeps = {
    ...atStart,
    newName: (kind) => newIndexName(kind, newId()),
    make: (space) => ensureIndex(engine, space),
    canStay: ({ index }) => isIndexName(index),
  };
  await ensureSearchedIndex(configuredIndex, deps);
  engine.close();
}

/**
 * The layout of entries. Raise its first number when entries change: all pages are then reindexed from the page store.
 */
const SQLITE_LAYOUT = `sqlite-5-${SEGMENT_FORMAT}`;

/**
 * Ensures the index in SQLite, which serves all models: a reindexed page replaces itself. If it is empty although pages
 * are registered, it is rebuilt from their texts while the service runs.
 */
async function ensureSqliteIndex(): Promise<void> {
  const { space, dimensions } = embedder;
  const kind = { layout: SQLITE_LAYOUT, space, dimensions, ...(provider && { provider }) };
  await ensureSearchedIndex(kind, {
    ...atStart,
    newName: () => 'sqlite',
    make: isLost,
    canStay: () => false,
  });
}

async function isLost(): Promise<boolean> {
  for await (const { sk } of everyItem(table, EVERY_SITE.pk, EVERY_SITE.prefix)) {
    const siteId = sk.slice(EVERY_SITE.prefix.length);
    const { pageCount = 0, generation = 0 } = (await readSite(siteId, table))?.state ?? {};
    if (pageCount === 0 || store().read.segments.isFilled(siteId, generation)) continue;
    log('error', 'the search index is empty, and is filled again; until then searches miss pages', { siteId });
    return true;
  }
  return false;
}
