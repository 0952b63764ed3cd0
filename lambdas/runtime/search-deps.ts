import { embedder, indexReader } from '#adapters/index-reader';
import { table } from '#adapters/table-reader';
import type { SearchDeps } from '../domain/search/search-pages.ts';
import { payingEmbedder } from '../domain/sites/usage/paying-embedder.ts';
import { clock } from './system.ts';

/** What a search needs. The organisation pays for the vector of its query, if a provider makes it. */
export const searchDeps = (orgId: string): SearchDeps => ({
  index: indexReader,
  embedder: payingEmbedder(embedder, orgId, { table, clock }),
  clock,
});
