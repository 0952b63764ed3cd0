import { embedder, index } from '#adapters/search-index';
import { tableReader } from '#adapters/table';
import type { SearchDeps } from '../domain/search/search-pages.ts';
import type { SearchAnswer } from '../domain/search/search-site.ts';
import { meteredEmbedder } from '../domain/sites/usage/metered-embedder.ts';
import { Reply } from './responses.ts';
import { clock } from './system.ts';

const carried = new Set<string>();

/**
 * Returns the dependencies of a search. The organisation pays for the vector of its query, if a provider computes it.
 */
export const searchDeps = (orgId: string): SearchDeps => ({
  index,
  carried,
  embedder: meteredEmbedder(embedder, orgId, { table: tableReader, clock }),
  clock,
});

/** Returns the response of a search. A degraded one, found by words alone, is marked and not cached. */
export const searchReply = <Response>({ response, degraded }: SearchAnswer<Response>): Reply<Response> =>
  new Reply(response, degraded ? { 'X-Search-Degraded': '1', 'Cache-Control': 'no-store' } : {});
