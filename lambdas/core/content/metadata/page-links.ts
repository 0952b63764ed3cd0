import type { HtmlTree } from '../html/tree.ts';
import type { Link } from '../page-content.ts';
import { hasRel } from './page-head.ts';

const MAX_LINKS = 1_000;
const MAX_URL = 2_048;

/** An absolute http or https URL without its fragment; undefined for everything else. */
export function webUrl(href: string | undefined, base: string): string | undefined {
  const url = href === undefined || href.length > 2 * MAX_URL ? null : URL.parse(href, base);
  if (url === null) return undefined;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const whole = withoutFragment(url.href);
  return whole.length <= MAX_URL ? whole : undefined;
}

/** The links of a whole page; one that occurs both with and without `rel=nofollow` may be followed. */
export function pageLinks(tree: HtmlTree, base: string): readonly Link[] {
  const links = new Map<string, Link>();
  const read = new Map<string, string | undefined>();
  for (const node of tree) {
    const raw = node.attributes.href;
    if (raw === undefined || raw.startsWith('#') || !(node.name === 'a' || node.name === 'area')) continue;
    const href = raw.length > 2 * MAX_URL ? undefined : remembered(read, raw, base);
    if (href === undefined) continue;
    const known = links.get(href);
    if (known === undefined && links.size >= MAX_LINKS) break;
    const nofollow = hasRel(node, 'nofollow') && known?.nofollow !== false;
    if (known?.nofollow !== nofollow) links.set(href, { href, nofollow });
  }
  return [...links.values()];
}

/**
 * Many links of a page lead to places in the same other pages. Where a fragment began, a sign stays: a blank before it
 * is part of the path.
 */
function remembered(read: Map<string, string | undefined>, raw: string, base: string): string | undefined {
  const place = raw.slice(0, raw.indexOf('#') + 1) || raw;
  const known = read.get(place);
  if (known !== undefined || read.has(place)) return known;
  const href = webUrl(place, base);
  read.set(place, href);
  return href;
}

/** In an absolute URL a bare `#` begins the fragment (WHATWG URL, 4.4). */
function withoutFragment(url: string): string {
  const end = url.indexOf('#');
  return end < 0 ? url : url.slice(0, end);
}
