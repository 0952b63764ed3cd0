import * as z from 'zod';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { openSearchClient } from '../aws/opensearch/client.ts';
import { configuredIndex } from '../aws/opensearch/index/configured-index.ts';
import { ensureIndex, setReplicas } from '../aws/opensearch/index/index-admin.ts';
import { newIndexName } from '../aws/opensearch/index-name.ts';
import { requireEnv } from '../aws/require-env.ts';
import { providerBaseUrl, providerKey } from '../connectors/provider/provider-key.ts';
import { ensureSearchedIndex } from '../domain/pages/reindexing/ensure-index.ts';
import { type IndexSpec, type RegisteredIndex, STRAGGLERS_SECONDS } from '../domain/pages/reindexing/index-registry.ts';
import { retryWhileDenied } from './retry-while-denied.ts';
import { clock, newId } from './system.ts';

/** CloudFormation sends numbers as strings. */
const Size = z.object({ shards: z.coerce.number().int().min(1), replicas: z.coerce.number().int().min(0) });

/** Creates the configured index if it is missing, with a migration to it, and sets the number of replicas. */
export async function createSearchIndex(properties: unknown): Promise<void> {
  const size = Size.parse(properties);
  const engine = openSearchClient(requireEnv('OPENSEARCH_URL'));
  const deps = {
    table,
    queue,
    clock,
    fillAfterSeconds: STRAGGLERS_SECONDS,
    pauseSeconds: STRAGGLERS_SECONDS,
    newName: (kind: IndexSpec) => newIndexName(kind, newId()),
    canStay: () => true,
    make: (index: RegisteredIndex) => ensureIndex(engine, index, size),
  };
  const attempt = async () => {
    if (providerBaseUrl !== undefined) await providerKey.read(); // fails a deployment whose key cannot be read
    const { searched, secondary } = await ensureSearchedIndex({ ...configuredIndex, shards: size.shards }, deps);
    await setReplicas(engine, searched, size);
    if (secondary) await setReplicas(engine, secondary, size);
  };
  try {
    await retryWhileDenied(attempt);
  } finally {
    engine.close();
  }
}
