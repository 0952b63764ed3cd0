import type { HtmlTree } from '../html/tree.ts';
import type { Link } from '../page-content.ts';
import { hasRel } from './page-head.ts';

const MAX_LINKS = 1_000;
const MAX_URL = 2_048;

/** Returns an absolute http or https URL without its fragment; undefined for anything else. */
export function webUrl(href: string | undefined, base: string): string | undefined {
  const url = href === undefined || href.length > 2 * MAX_URL ? null : URL.parse(href, base);
  if (url === null) return undefined;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const whole = withoutFragment(url.href);
  return whole.length <= MAX_URL ? whole : undefined;
}

/**
 * Returns the links of a whole page, and the pages in its frames. A URL that occurs with and without `rel=nofollow` may
 * be followed.
 */
export function pageLinks(tree: HtmlTree, base: string): readonly Link[] {
  const links = new Map<string, Link>();
  const read = new Map<string, string | undefined>();
  for (const node of tree) {
    const raw = targetOf(node);
    if (raw === undefined || raw.startsWith('#')) continue;
    const href = raw.length > 2 * MAX_URL ? undefined : cachedUrl(read, raw, base);
    if (href === undefined) continue;
    const known = links.get(href);
    if (known === undefined && links.size >= MAX_LINKS) break;
    const nofollow = hasRel(node, 'nofollow') && known?.nofollow !== false;
    if (known?.nofollow !== nofollow) links.set(href, { href, nofollow });
  }
  return [...links.values()];
}

function targetOf({ name, attributes }: HtmlTree[number]): string | undefined {
  if (name === 'frame') return attributes.src;
  return name === 'a' || name === 'area' ? attributes.href : undefined;
}

/**
 * Reads a URL, with a cache by the address up to and including `#`: white space before a fragment is part of the path.
 */
function cachedUrl(read: Map<string, string | undefined>, raw: string, base: string): string | undefined {
  const address = raw.slice(0, raw.indexOf('#') + 1) || raw;
  const known = read.get(address);
  if (known !== undefined || read.has(address)) return known;
  const href = webUrl(address, base);
  read.set(address, href);
  return href;
}

/** In an absolute URL a bare `#` begins the fragment (WHATWG URL, 4.4). */
function withoutFragment(url: string): string {
  const end = url.indexOf('#');
  return end < 0 ? url : url.slice(0, end);
}
