import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { adoptSpace } from '../../lambdas/core/index-space/adopt-space.ts';
import type { SpaceKind } from '../../lambdas/core/index-space/space-record.ts';
import { env } from '../../lambdas/env.ts';
import { clock, newId } from '../../lambdas/runtime/world.ts';

/** To make an index takes longer than to ask one. */
const PATIENCE_MS = 30_000;
/** Longer than a thread remembers which index is searched, and than a write takes. */
const PAUSE_SECONDS = 10;

/**
 * With `OPENSEARCH_URL` the pages are indexed there: makes the index that the service needs, once. Nobody else is at work yet, so that
 * pages of an index of another model may move at once.
 */
export async function prepareSearchIndex(): Promise<void> {
  const { OPENSEARCH_URL: url } = env;
  if (url === undefined) return;
  if (!import.meta.resolve('#adapters/page-index').includes('/aws/'))
    throw new Error('With OPENSEARCH_URL, start node with --conditions=opensearch too, as `npm start` does');
  const [{ openSearch }, { ensureIndex }, { configuredKind, newIndexName }] = await Promise.all([
    import('../../lambdas/adapters/aws/opensearch/client.ts'),
    import('../../lambdas/adapters/aws/opensearch/index-space.ts'),
    import('../../lambdas/adapters/aws/opensearch/space-indices.ts'),
  ]);
  const engine = openSearch(url, { limitMs: PATIENCE_MS });
  await adoptSpace(configuredKind, {
    ...{ table, queue, clock, fillAfterSeconds: 0, pauseSeconds: PAUSE_SECONDS },
    newName: (kind: SpaceKind) => newIndexName(kind, newId()),
    make: (space) => ensureIndex(engine, space),
  });
  engine.close();
}
