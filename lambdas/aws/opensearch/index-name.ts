import { createHash } from 'node:crypto';
import { MAPPING } from './layout.ts';

/** The embedding space of an index. Without `index`, the index is named after the space. */
export type EmbeddingSpace = { readonly space: string; readonly dimensions: number; readonly index?: string };

const MAX_SLUG_LENGTH = 80;

/**
 * Returns the alias of a space's index. It ends with a hash, because names that differ in punctuation have the same
 * slug.
 */
export function indexName({ space, index }: Pick<EmbeddingSpace, 'space' | 'index'>): string {
  if (index !== undefined) return index;
  const slug = space.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const hash = createHash('sha256').update(space).digest('hex').slice(0, 8);
  return `pages-${MAPPING}-${slug.slice(0, MAX_SLUG_LENGTH)}-${hash}`;
}

/** Returns the name of another index of the space. `id` must be unique. */
export const newIndexName = ({ space }: Pick<EmbeddingSpace, 'space'>, id: string): string =>
  `${indexName({ space })}-${id}`;

export const isIndexName = (name: string): boolean => name.startsWith('pages-');
