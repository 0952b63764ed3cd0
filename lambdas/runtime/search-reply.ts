import type { SearchAnswer } from '../domain/search/search-site.ts';
import { Reply } from './responses.ts';

/** A degraded response, found by words alone, says so and is not cached. */
export const searchReply = <Response>({ response, degraded }: SearchAnswer<Response>): Reply<Response> =>
  new Reply(response, degraded ? { 'X-Search-Degraded': '1', 'Cache-Control': 'no-store' } : {});
