import type { HtmlTree } from '../html/tree.ts';
import { wordSet } from '../html/word-set.ts';
import type { PageHead } from '../metadata/page-head.ts';
import { dropWhere } from './node-mask.ts';
import { type TextWeight, weighText } from './text-density.ts';

/** Minimum characters of a paragraph, and of the sibling paragraphs that form an article. */
const [PARAGRAPH, ARTICLE] = [60, 500];
const MIN_PARAGRAPHS = 3;
const LISTS = wordSet('ul ol div section aside');
/**
 * Minimum number of items of a list of teasers, minimum share of teasers among them, and maximum characters of an item.
 */
const [MIN_ITEMS, ITEMS_SHARE, MAX_ITEM_LENGTH] = [3, 0.7, 900];
const GALLERY = /(?:^|[\s_-])(?:gallery|slideshow)(?:$|[\s_-])/i;
/** Minimum characters of a teaser's link. */
const MIN_LINK_LENGTH = 12;
/** A larger item is no teaser; the limit bounds the work for lists inside lists. */
const MAX_ITEM_NODES = 300;

/** Returns whether a page declares itself an article: for social networks, for search engines, or in its markup. */
export function claimsArticle({ meta, jsonLd }: PageHead, tree: HtmlTree): boolean {
  return (
    meta.get('og:type')?.[0]?.toLowerCase() === 'article' ||
    jsonLd.some((item) => item.has('headline')) ||
    tree.some(({ attributes }) => attributes.itemprop?.toLowerCase() === 'articlebody')
  );
}

/**
 * Marks galleries, and lists of other news next to the paragraphs of an article. Returns whether there is an article:
 * without enough paragraphs, lists are the content.
 */
export function dropTeaserLists(tree: HtmlTree, dropped: Uint8Array): boolean {
  const weight = weighText(tree, dropped);
  const article = articleBody(tree, dropped, weight);
  if (article === undefined) return false;
  const end = tree[article]?.end ?? 0;
  dropWhere(tree, dropped, 0, (node, index) => {
    const holdsArticle = index <= article && node.end >= end;
    if (holdsArticle) return false;
    if (isGallery(node)) return true;
    if (index > article && index < end) return false;
    return LISTS.has(node.name) && isTeaserList(tree, index, dropped, weight);
  });
  return true;
}

/** Returns the element with the most text in paragraphs that are its children. */
function articleBody(tree: HtmlTree, dropped: Uint8Array, weight: TextWeight): number | undefined {
  const text = new Map<number, number>();
  const count = new Map<number, number>();
  for (const [i, { name, parent }] of tree.entries()) {
    const prose = (weight.text[i] ?? 0) - (weight.linked[i] ?? 0);
    if (name !== 'p' || dropped[i] === 1 || prose < PARAGRAPH) continue;
    text.set(parent, (text.get(parent) ?? 0) + prose);
    count.set(parent, (count.get(parent) ?? 0) + 1);
  }
  let best: number | undefined;
  for (const [parent, prose] of text)
    if (prose >= ARTICLE && (count.get(parent) ?? 0) >= MIN_PARAGRAPHS && prose > (text.get(best ?? -1) ?? 0))
      best = parent;
  return best;
}

/** Returns whether an element is a gallery: pictures that have captions. */
const isGallery = ({ name, attributes: { class: classes = '' } }: HtmlTree[number]): boolean =>
  name !== 'body' && GALLERY.test(classes);

function isTeaserList(tree: HtmlTree, index: number, dropped: Uint8Array, weight: TextWeight): boolean {
  let items = 0;
  let teasers = 0;
  const end = tree[index]?.end ?? 0;
  for (let i = index + 1; i < end; i = tree[i]?.end ?? end) {
    const text = weight.text[i] ?? 0;
    if (dropped[i] === 1 || text === 0) continue;
    items++;
    if (text <= MAX_ITEM_LENGTH && hasLongLink(tree, i, weight)) teasers++;
  }
  return teasers >= MIN_ITEMS && teasers >= ITEMS_SHARE * items;
}

function hasLongLink(tree: HtmlTree, index: number, weight: TextWeight): boolean {
  const end = Math.min(tree[index]?.end ?? 0, index + MAX_ITEM_NODES);
  for (let i = index; i < end; i++) {
    const node = tree[i];
    if (node?.name === 'a' && !node.attributes.href?.startsWith('#') && (weight.text[i] ?? 0) >= MIN_LINK_LENGTH)
      return true;
  }
  return false;
}
