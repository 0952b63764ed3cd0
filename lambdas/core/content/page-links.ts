import type { HtmlTree } from './html-tree.ts';
import type { Link } from './page-content.ts';
import { hasRel } from './page-head.ts';

const MAX_LINKS = 1_000;
const MAX_URL = 2_048;

/** An absolute http or https URL without its fragment; undefined for everything else. */
export function webUrl(href: string | undefined, base: string): string | undefined {
  const url = href === undefined || href.length > 2 * MAX_URL ? null : URL.parse(href, base);
  if (url === null) return undefined;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.hash = '';
  return url.href.length <= MAX_URL ? url.href : undefined;
}

/** The links of a whole page; one that occurs both with and without `rel=nofollow` may be followed. */
export function pageLinks(tree: HtmlTree, base: string): readonly Link[] {
  const links = new Map<string, Link>();
  for (const node of tree) {
    const raw = node.attributes.href;
    if (raw === undefined || raw.startsWith('#') || !(node.name === 'a' || node.name === 'area')) continue;
    const href = webUrl(raw, base);
    if (href === undefined) continue;
    const known = links.get(href);
    if (known === undefined && links.size >= MAX_LINKS) break;
    links.set(href, { href, nofollow: hasRel(node, 'nofollow') && known?.nofollow !== false });
  }
  return [...links.values()];
}
