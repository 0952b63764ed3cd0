import { embedder, index } from '#adapters/search-index';
import { tableReader } from '#adapters/table';
import type { SearchDeps } from '../domain/search/search-pages.ts';
import type { SearchAnswer } from '../domain/search/search-site.ts';
import { payingEmbedder } from '../domain/sites/usage/paying-embedder.ts';
import { Reply } from './responses.ts';
import { clock } from './system.ts';

const carried = new Set<string>();

/** What a search needs. The organisation pays for the vector of its query, if a provider makes it. */
export const searchDeps = (orgId: string): SearchDeps => ({
  index,
  carried,
  embedder: payingEmbedder(embedder, orgId, { table: tableReader, clock }),
  clock,
});

/** A degraded response, found by words alone, says so and is not cached. */
export const searchReply = <Response>({ response, degraded }: SearchAnswer<Response>): Reply<Response> =>
  new Reply(response, degraded ? { 'X-Search-Degraded': '1', 'Cache-Control': 'no-store' } : {});
