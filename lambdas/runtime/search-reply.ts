import type { SearchAnswer } from '../core/search/search-site.ts';
import { Reply } from './responses.ts';

/** An answer that the words gave alone says so, and is kept by no cache. */
export const searchReply = ({ response, degraded }: SearchAnswer): Reply<SearchAnswer['response']> =>
  new Reply(response, degraded ? { 'X-Search-Degraded': '1', 'Cache-Control': 'no-store' } : {});
