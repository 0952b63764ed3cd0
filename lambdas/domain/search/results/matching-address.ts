import { pathOf } from '../../../text/web/url.ts';
import type { PageFilter, Passage } from '../../ports/index-reader.ts';

type UrlFilter = Extract<PageFilter, { readonly field: 'url' }>;

/**
 * The address under which a result is shown: the page's URL, or if a filter by URL admits only aliases, the first of
 * these. So a search in one version of a manual leads to pages of that version.
 */
export function matchingAddress(
  { url, aliases }: Pick<Passage, 'url' | 'aliases'>,
  filters: readonly PageFilter[] = [],
): string {
  const wanted = filters.filter((filter) => filter.field === 'url');
  return [url, ...aliases].find((address) => wanted.every((filter) => admits(filter, address))) ?? url;
}

const admits = ({ urlPrefixes, pathPrefixes }: UrlFilter, address: string): boolean =>
  urlPrefixes.some((prefix) => address.startsWith(prefix)) ||
  pathPrefixes.some((prefix) => pathOf(address).startsWith(prefix));
