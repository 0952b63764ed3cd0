import { env } from '../../lambdas/env.ts';

/** To make an index takes longer than to ask one. */
const PATIENCE_MS = 30_000;

/** With `OPENSEARCH_URL` the pages are indexed there: makes the index that the service needs, once. */
export async function prepareSearchIndex(): Promise<void> {
  const { OPENSEARCH_URL: url } = env;
  if (url === undefined) return;
  if (!import.meta.resolve('#adapters/page-index').includes('/aws/'))
    throw new Error('With OPENSEARCH_URL, start node with --conditions=opensearch too, as `npm start` does');
  const [{ openSearch }, { ensureIndex }, { embedder }] = await Promise.all([
    import('../../lambdas/adapters/aws/opensearch/client.ts'),
    import('../../lambdas/adapters/aws/opensearch/index-space.ts'),
    import('../../lambdas/adapters/embedder.ts'),
  ]);
  const engine = openSearch(url, { limitMs: PATIENCE_MS });
  await ensureIndex(engine, embedder);
  engine.close();
}
