import type { SearchRequest } from '../domain/search/search-request.ts';
import type { SearchAnswer } from '../domain/search/search-site.ts';
import { logSearch } from './event-logging.ts';
import type { Reply } from './responses.ts';
import { searchReply } from './search-reply.ts';

/** The reply to a search, which is logged with the number of its results. */
export async function loggedSearchReply<Response extends { readonly totalResults: number }>(
  { query, offset }: SearchRequest,
  answer: SearchAnswer<Response>,
  source: Parameters<typeof logSearch>[0],
): Promise<Reply<Response>> {
  await logSearch(source, { query, offset, results: answer.response.totalResults });
  return searchReply(answer);
}
