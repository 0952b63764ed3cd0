import { embedder, index } from '#adapters/search-index';
import { tableReader } from '#adapters/table';
import type { SearchDeps } from '../domain/search/search-pages.ts';
import { payingEmbedder } from '../domain/sites/usage/paying-embedder.ts';
import { clock } from './system.ts';

/** What a search needs. The organisation pays for the vector of its query, if a provider makes it. */
export const searchDeps = (orgId: string): SearchDeps => ({
  index,
  embedder: payingEmbedder(embedder, orgId, { table: tableReader, clock }),
  clock,
});
