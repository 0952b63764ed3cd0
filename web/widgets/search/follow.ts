import type { SiteSearchElement } from '../loader/elements.ts';
import type { Target } from './hits.ts';
import type { Search } from './search.ts';
import { tell } from './tell.ts';

/**
 * A link of a result is followed: tells the page, which may do it by itself, and the figures of the owner. Returns whether
 * the document of the visitor stays, in another place or as it is.
 */
export function followed(event: MouseEvent, host: SiteSearchElement, search: Search, target: Target): boolean {
  if (event.button === 2) return false;
  const { url, title, position, hit } = target;
  const query = search.found?.query ?? search.query;
  if (!tell(host, 'select', { url, title, position, query, result: hit })) event.preventDefault();
  const click = { query, url: hit.url, position, ...(hit.siteId && { site: hit.siteId }) };
  search.client.recordClick(click).catch(() => undefined); // The page opens all the same.
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
}
