import * as z from 'zod';
import type { OpenSearchClient } from '../client.ts';
import { type EmbeddingSpace, indexName } from '../index-name.ts';
import { type IndexSize, indexDefinition } from './index-mapping.ts';

const Health = z.object({ status: z.enum(['green', 'yellow', 'red']) });
const SINGLE_NODE: IndexSize = { shards: 1, replicas: 0 };

/** Creates a space's index unless it exists. Calls may repeat and overlap. Returns whether it was missing. */
export async function ensureIndex(
  client: OpenSearchClient,
  space: EmbeddingSpace,
  size: IndexSize = SINGLE_NODE,
): Promise<boolean> {
  const name = indexName(space);
  const exists = () => client.send({ method: 'HEAD', path: `/_alias/${name}` });
  if (await exists()) return false;
  const body = { ...indexDefinition(space.dimensions, size), aliases: { [name]: {} } };
  try {
    await client.send({ method: 'PUT', path: `/${name}-0`, body });
  } catch (error) {
    if (!(await exists())) throw error; // otherwise a concurrent call created it
  }
  return true;
}

/** Sets the number of replicas of an existing index: the number of nodes may have changed since its creation. */
export async function setReplicas(
  client: OpenSearchClient,
  space: Pick<EmbeddingSpace, 'space' | 'index'>,
  { replicas }: Pick<IndexSize, 'replicas'>,
): Promise<void> {
  const name = indexName(space);
  if (!(await client.send({ method: 'HEAD', path: `/_alias/${name}` }))) return; // lost; a new index is being filled
  const body = { index: { number_of_replicas: replicas } };
  await client.send({ method: 'PUT', path: `/${name}/_settings`, body });
}

/** Returns whether the index exists and all of its primary shards are available. */
export async function isUsable(
  client: OpenSearchClient,
  space: Pick<EmbeddingSpace, 'space' | 'index'>,
): Promise<boolean> {
  const name = indexName(space);
  if (!(await client.send({ method: 'HEAD', path: `/_alias/${name}` }))) return false;
  const { status } = Health.parse(await client.send({ method: 'GET', path: `/_cluster/health/${name}` }));
  return status !== 'red';
}
