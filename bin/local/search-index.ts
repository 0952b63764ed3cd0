import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { embedder, provider } from '../../lambdas/adapters/embedder.ts';
import { type EnsureIndexDeps, ensureSearchedIndex } from '../../lambdas/core/reindexing/ensure-index.ts';
import { env } from '../../lambdas/env.ts';
import { clock, newId } from '../../lambdas/runtime/system.ts';

/** To make an index takes longer than to ask one. */
const PATIENCE_MS = 30_000;
/** Longer than a thread remembers which index is searched, and than a write takes. */
const PAUSE_SECONDS = 10;

/** Nobody else is at work yet, so that pages of another model may move at once. */
const atStart = { table, queue, clock, fillAfterSeconds: 0, pauseSeconds: PAUSE_SECONDS };

/** Sees to it that there is an index of the configured embedding model, in OpenSearch with `OPENSEARCH_URL`, and that it has all pages. */
export async function prepareSearchIndex(): Promise<void> {
  const { OPENSEARCH_URL: url } = env;
  if (url === undefined) return ensureSqliteIndex();
  if (!import.meta.resolve('#adapters/page-index').includes('/aws/'))
    throw new Error('With OPENSEARCH_URL, start node with --conditions=opensearch too, as `npm start` does');
  const [{ openSearchClient }, { ensureIndex, isIndexName }, { configuredKind, newIndexName }] = await Promise.all([
    import('../../lambdas/adapters/aws/opensearch/client.ts'),
    import('../../lambdas/adapters/aws/opensearch/index-admin.ts'),
    import('../../lambdas/adapters/aws/opensearch/open-index.ts'),
  ]);
  const engine = openSearchClient(url, { limitMs: PATIENCE_MS });
  const deps: EnsureIndexDeps = {
    ...atStart,
    newName: (kind) => newIndexName(kind, newId()),
    make: (space) => ensureIndex(engine, space),
    canStay: ({ index }) => isIndexName(index),
  };
  await ensureSearchedIndex(configuredKind, deps);
  engine.close();
}

/** The one index there takes pages of another model in their place. */
async function ensureSqliteIndex(): Promise<void> {
  const { space, dimensions } = embedder;
  const kind = { layout: 'sqlite', space, dimensions, ...(provider && { provider }) };
  await ensureSearchedIndex(kind, {
    ...atStart,
    newName: () => 'sqlite',
    make: async () => false,
    canStay: () => false,
  });
}
