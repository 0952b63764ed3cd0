import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { OpenSearchClient } from './client.ts';
import { type IndexSize, indexDefinition } from './index-mapping.ts';
import { MAPPING } from './layout.ts';

/** The embedding space of an index. Without `index`, the index is named after the space. */
export type EmbeddingSpace = { readonly space: string; readonly dimensions: number; readonly index?: string };

const MAX_SLUG_LENGTH = 80;

const Health = z.object({ status: z.enum(['green', 'yellow', 'red']) });

/** The alias of a space's index. It ends with a hash, because names that differ in punctuation have the same slug. */
export function indexName({ space, index }: Pick<EmbeddingSpace, 'space' | 'index'>): string {
  if (index !== undefined) return index;
  const slug = space.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const hash = createHash('sha256').update(space).digest('hex').slice(0, 8);
  return `pages-${MAPPING}-${slug.slice(0, MAX_SLUG_LENGTH)}-${hash}`;
}

/** The name of a further index of the space. `id` must be unique. */
export const newIndexName = ({ space }: Pick<EmbeddingSpace, 'space'>, id: string): string =>
  `${indexName({ space })}-${id}`;

export const isIndexName = (name: string): boolean => name.startsWith('pages-');

const SINGLE_NODE: IndexSize = { shards: 1, replicas: 0 };

/** Creates a space's index unless it exists; calls may repeat and overlap. Answers whether it was missing. */
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

/** Gives an index that exists so many copies: the number of nodes may have changed since it was created. */
export async function setReplicas(
  client: OpenSearchClient,
  space: Pick<EmbeddingSpace, 'space' | 'index'>,
  { replicas }: Pick<IndexSize, 'replicas'>,
): Promise<void> {
  const name = indexName(space);
  if (!(await client.send({ method: 'HEAD', path: `/_alias/${name}` }))) return; // lost: a new one is being filled
  const body = { index: { number_of_replicas: replicas } };
  await client.send({ method: 'PUT', path: `/${name}/_settings`, body });
}

/** Whether all of the index is there. */
export async function isUsable(
  client: OpenSearchClient,
  space: Pick<EmbeddingSpace, 'space' | 'index'>,
): Promise<boolean> {
  const name = indexName(space);
  if (!(await client.send({ method: 'HEAD', path: `/_alias/${name}` }))) return false;
  const { status } = Health.parse(await client.send({ method: 'GET', path: `/_cluster/health/${name}` }));
  return status !== 'red';
}

export async function dropIndex(client: OpenSearchClient, name: string): Promise<void> {
  const path = `/${name}-0`;
  if (await client.send({ method: 'HEAD', path })) await client.send({ method: 'DELETE', path });
}
