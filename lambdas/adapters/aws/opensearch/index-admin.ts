import { createHash } from 'node:crypto';
import type { Engine } from './client.ts';
import { type IndexSize, indexDefinition } from './index-mapping.ts';

/** What an index holds: vectors of one embedding space. One that has no name yet is called after its space. */
export type EmbeddingSpace = { readonly space: string; readonly dimensions: number; readonly index?: string };

/** Another mapping is another index, which is filled like one of another space. */
export const MAPPING = 'v2';
const LONGEST_SLUG = 80;

/** The alias under which a space's index is read and written. Its end tells spaces apart whose names differ in signs only. */
export function indexName({ space, index }: Pick<EmbeddingSpace, 'space' | 'index'>): string {
  if (index !== undefined) return index;
  const slug = space.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const mark = createHash('sha256').update(space).digest('hex').slice(0, 8);
  return `pages-${MAPPING}-${slug.slice(0, LONGEST_SLUG)}-${mark}`;
}

/** Whether it may be the name of an index of this engine. */
export const isIndexName = (name: string): boolean => name.startsWith('pages-');

const ONE_NODE: IndexSize = { shards: 1, replicas: 0 };

/** Creates the index of a space unless it is there; any number at once, and again, are harmless. Answers whether it was missing. */
export async function ensureIndex(engine: Engine, space: EmbeddingSpace, size: IndexSize = ONE_NODE): Promise<boolean> {
  const name = indexName(space);
  const exists = () => engine.send({ method: 'HEAD', path: `/_alias/${name}` });
  if (await exists()) return false;
  const body = { ...indexDefinition(space.dimensions, size), aliases: { [name]: {} } };
  try {
    await engine.send({ method: 'PUT', path: `/${name}-0`, body });
  } catch (error) {
    if (!(await exists())) throw error; // else another one was faster
  }
  return true;
}

/** Removes an index with all that it holds; one that is not there is fine. */
export async function dropIndex(engine: Engine, name: string): Promise<void> {
  const path = `/${name}-0`;
  if (await engine.send({ method: 'HEAD', path })) await engine.send({ method: 'DELETE', path });
}
