import type { SearchRequest } from '../core/search/search-request.ts';
import type { SearchAnswer } from '../core/search/search-site.ts';
import { logSearch } from './event-logging.ts';
import { Reply } from './responses.ts';

/** A degraded response, found by words alone, says so and is not cached. */
export const searchReply = <Response>({ response, degraded }: SearchAnswer<Response>): Reply<Response> =>
  new Reply(response, degraded ? { 'X-Search-Degraded': '1', 'Cache-Control': 'no-store' } : {});

/** The reply to a search, which is logged with the number of its results. */
export async function loggedSearchReply<Response extends { readonly totalResults: number }>(
  { query, offset }: SearchRequest,
  answer: SearchAnswer<Response>,
  source: Parameters<typeof logSearch>[0],
): Promise<Reply<Response>> {
  await logSearch(source, { query, offset, results: answer.response.totalResults });
  return searchReply(answer);
}
