import { webUrl } from '../metadata/page-links.ts';
import type { Block } from '../page-content.ts';

/** A block. If most of a heading is a link, `href` is the link's target as written. */
export type LinkedBlock = Block & { readonly href?: string };
type Heading = Extract<LinkedBlock, { readonly kind: 'heading' }>;

/** Minimum number of links among sibling headings, and their minimum share. A single link may be the author's name. */
const [FEWEST, LISTING_SHARE] = [2, 0.5];

/**
 * Counts the text below a heading that links to another page of the site as link text: it summarises that page, as in a
 * list of posts. `addresses` are those of the page itself.
 */
export function withListedText(
  blocks: readonly LinkedBlock[],
  title: string,
  addresses: readonly [base: string, ...others: (string | undefined)[]],
): readonly Block[] {
  const [base] = addresses;
  const own = addresses.flatMap((address) => (address && URL.parse(address)) || []);
  const hasText = new Set(blocks.filter((_, i) => blocks[i + 1]?.kind !== 'heading'));
  const leads = (heading: Heading) =>
    hasText.has(heading) && heading.text !== title && leadsToOther(heading.href, base, own);
  const listing = new Set(siblingsOf(blocks.filter(isHeading)).flatMap((siblings) => listedAmong(siblings, leads)));
  let listedBelow = 0;
  return blocks.map((block) => {
    if (!isHeading(block)) return listedBelow > 0 ? { ...block, linked: block.text.length } : block;
    if (listing.has(block)) listedBelow = block.level;
    else if (block.level <= listedBelow) listedBelow = 0;
    const { href: _, ...heading } = block;
    return heading;
  });
}

const isHeading = (block: LinkedBlock): block is Heading => block.kind === 'heading';

/** Headings of one level without a higher heading between them. */
function siblingsOf(headings: readonly Heading[]): readonly (readonly Heading[])[] {
  const found: Heading[][] = [];
  const last: (Heading[] | undefined)[] = [];
  for (const heading of headings) {
    last.length = Math.min(last.length, heading.level + 1);
    const siblings = last[heading.level] ?? [];
    if (siblings.length === 0) found.push(siblings);
    siblings.push(heading);
    last[heading.level] = siblings;
  }
  return found;
}

function listedAmong(siblings: readonly Heading[], leads: (heading: Heading) => boolean): readonly Heading[] {
  const listed = siblings.filter(leads);
  const targets = new Set(listed.map(({ href }) => href)).size;
  return targets >= FEWEST && targets >= LISTING_SHARE * siblings.length ? listed : [];
}

/**
 * Returns whether a link leads to another page. A link with a fragment refers to a detail, such as a function that the
 * text is about.
 */
function leadsToOther(href: string | undefined, base: string, own: readonly URL[]): boolean {
  const url = href?.includes('#') ? undefined : webUrl(href, base);
  const target = url === undefined ? null : URL.parse(url);
  return target !== null && own.some(({ host }) => host === target.host) && !own.some((page) => isAt(page, target));
}

/** Returns whether the target is the same page at another address, or a page above it, to which a site's name links. */
function isAt(page: URL, target: URL): boolean {
  const [path, targetPath] = [page, target].map(({ pathname }) => pathname.replace(/\/(?:index\.\w+)?$/, ''));
  if (target.search !== '') return path === targetPath && page.search === target.search;
  return `${path}/`.startsWith(`${targetPath}/`);
}
