import { pathOf } from '../../../text/web/url.ts';
import type { PageFilter, Passage } from '../../ports/index-reader.ts';

type UrlFilter = Extract<PageFilter, { readonly field: 'url' }>;

/**
 * Returns the URL to show for a result: the page's own, or its first alias that matches if the URL filters exclude its
 * own. A search in one version of a manual then leads to pages of that version.
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
