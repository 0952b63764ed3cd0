import type { HtmlTree } from '../html/tree.ts';
import { wordSet } from '../html/word-set.ts';
import { dropBoilerplate, dropUnseen } from './boilerplate.ts';
import { selectedRoots } from './content-selection.ts';
import { dropWhere } from './node-mask.ts';
import { dropTeaserLists } from './teaser-lists.ts';
import { linkDensity, type TextWeight, weighText } from './text-density.ts';

/** The main content is the text below the `roots`, in order, without the nodes that have a 1 in `dropped`. */
export type MainContent = { readonly roots: readonly number[]; readonly dropped: Uint8Array };
type Selected = { readonly root: number; readonly dropped: Uint8Array; readonly length: number };

/** A `main` element with less than this share of the text is ignored. */
const MAIN_SHARE = 0.1;
/** The main content has at least this share of the prose around it. */
const PROSE_SHARE = 0.85;
/** A declared article has at least this share of the prose around it. */
const ARTICLE_SHARE = 0.5;
const PARAGRAPHS_SHARE = 0.85;
/** Elements that can hold the whole content; a list or a paragraph is only a part of it, however long. */
const CONTAINERS = wordSet('html body main article section div td center form');
/** Minimum characters outside links in one of several sections. */
const SECTION_TEXT = 100;
/** Minimum characters outside links in a paragraph that begins the content. */
const LEAD_TEXT = 40;
/** A page with fewer characters of content is read again leniently. */
const ENOUGH_TEXT = 250;
/** An element with this share of its text in links is a list of links. */
const LINK_LIST_SHARE = 0.8;
/** Content with a larger share of links is a listing and keeps its lists of links. */
const LISTING_SHARE = 0.35;
const MIN_LINK_LIST = 30;
/** A list of links with a larger share of the content's text is kept. */
const LARGE_LINK_LIST = 0.25;
const LINK_LISTS = wordSet('div section ul ol table form aside dl header p');

type Selection = {
  readonly selector?: string | undefined;
  /** The page declares itself an article: lists of other articles are not part of its content. */
  readonly isArticle?: boolean;
};

/** Selects the text that the owner's selector matches, if there is any, else the likely main content. */
export function selectContent(
  tree: HtmlTree,
  ignored: Uint8Array,
  { selector, isArticle = false }: Selection = {},
): MainContent {
  const chosen = selector === undefined ? undefined : chosenContent(tree, ignored, selector);
  if (chosen !== undefined) return chosen;
  const { root, dropped } = likelyContent(tree, ignored, isArticle);
  return { roots: [root], dropped };
}

/** Selects all visible text in the elements that a selector matches. */
function chosenContent(tree: HtmlTree, ignored: Uint8Array, selector: string): MainContent | undefined {
  const roots = selectedRoots(tree, selector);
  if (roots.length === 0) return undefined;
  const dropped = dropUnseen(tree, ignored);
  const weight = weighText(tree, dropped);
  const isShown = (root: number): boolean => dropped[root] !== 1 && (weight.text[root] ?? 0) > 0;
  return roots.some(isShown) ? { roots: roots.filter(isShown), dropped } : undefined;
}

/** Drops all likely boilerplate; if little text is left, drops only what is certainly boilerplate. */
function likelyContent(tree: HtmlTree, ignored: Uint8Array, isArticle: boolean): Selected {
  const strict = select(tree, dropBoilerplate(tree, 'strict', ignored), isArticle);
  if (strict.length >= ENOUGH_TEXT) return strict;
  const lenient = select(tree, dropBoilerplate(tree, 'lenient', ignored), isArticle);
  return lenient.length > 2 * strict.length ? lenient : strict;
}

function select(tree: HtmlTree, dropped: Uint8Array, isArticle: boolean): Selected {
  const hasArticle = isArticle && dropTeaserLists(tree, dropped);
  const weight = weighText(tree, dropped);
  const share = hasArticle ? ARTICLE_SHARE : PROSE_SHARE;
  const root = densest(tree, dropped, weight, { start: declaredMain(tree, dropped, weight), share });
  dropLinkLists(tree, dropped, weight, root);
  return { root, dropped, length: weight.text[root] ?? 0 };
}

function declaredMain(tree: HtmlTree, dropped: Uint8Array, weight: TextWeight): number {
  let best = 0;
  let bestText = MAIN_SHARE * (weight.text[0] ?? 0);
  for (let i = 1; i < tree.length; i++) {
    const node = tree[i];
    const text = weight.text[i] ?? 0;
    if (node === undefined || dropped[i] === 1 || text <= bestText) continue;
    if (node.name !== 'main' && node.attributes.role !== 'main') continue;
    best = i;
    bestText = text;
  }
  return best;
}

/**
 * Returns the innermost element inside `start` that has the given share of its prose (text outside links). In an
 * article, the share is lower, but the element must have nearly all paragraphs.
 */
function densest(
  tree: HtmlTree,
  dropped: Uint8Array,
  weight: TextWeight,
  { start, share }: { readonly start: number; readonly share: number },
): number {
  const prose = (i: number): number => (weight.text[i] ?? 0) - (weight.linked[i] ?? 0);
  const target = share * prose(start);
  const paragraphs = share < PROSE_SHARE ? paragraphsBefore(tree, dropped, prose) : undefined;
  const hasParagraphs = (i: number): boolean =>
    !paragraphs ||
    prose(i) >= PROSE_SHARE * prose(start) ||
    paragraphsIn(tree, i, paragraphs) >= PARAGRAPHS_SHARE * paragraphsIn(tree, start, paragraphs);
  if (target === 0) return start;
  let root = start;
  const end = tree[start]?.end ?? 0;
  for (let i = start + 1; i < end; i++) {
    const node = tree[i];
    if (node === undefined) break;
    if (node.name === '' || dropped[i] === 1 || prose(i) < target || !hasParagraphs(i) || isOneOfMany(tree, i, weight))
      i = node.end - 1;
    else if (CONTAINERS.has(node.name)) {
      if (hasLead(tree, i, root, dropped, prose)) break;
      root = i;
    }
  }
  return root;
}

/** For each node: the prose of all paragraphs before it. */
function paragraphsBefore(tree: HtmlTree, dropped: Uint8Array, prose: (i: number) => number): Float64Array {
  const before = new Float64Array(tree.length + 1);
  for (const [i, { name }] of tree.entries())
    before[i + 1] = (before[i] ?? 0) + (name === 'p' && dropped[i] !== 1 ? prose(i) : 0);
  return before;
}

const paragraphsIn = (tree: HtmlTree, index: number, before: Float64Array): number =>
  (before[tree[index]?.end ?? 0] ?? 0) - (before[index] ?? 0);

/**
 * Returns whether the element is one of several sections with the same name and class, which form the content together.
 */
function isOneOfMany(tree: HtmlTree, index: number, weight: TextWeight): boolean {
  const node = tree[index];
  const parent = tree[node?.parent ?? 0];
  if (node === undefined || parent === undefined || index === 0) return false;
  for (let i = node.parent + 1; i < parent.end; i = tree[i]?.end ?? parent.end) {
    const other = tree[i];
    if (
      i === index ||
      other?.name !== node.name ||
      other.attributes.class !== node.attributes.class ||
      !node.attributes.class
    )
      continue;
    if ((weight.text[i] ?? 0) - (weight.linked[i] ?? 0) >= SECTION_TEXT) return true;
  }
  return false;
}

/** Returns whether a paragraph begins the text before this element, or before one of its ancestors below the root. */
function hasLead(
  tree: HtmlTree,
  index: number,
  root: number,
  dropped: Uint8Array,
  prose: (i: number) => number,
): boolean {
  for (let inner = index; inner > root; inner = tree[inner]?.parent ?? 0) {
    const parent = tree[inner]?.parent ?? 0;
    for (let i = parent + 1; i < inner; i = tree[i]?.end ?? inner) {
      if (tree[i]?.name === 'p' && dropped[i] !== 1 && prose(i) >= LEAD_TEXT) return true;
    }
  }
  return false;
}

function dropLinkLists(tree: HtmlTree, dropped: Uint8Array, weight: TextWeight, root: number): void {
  if (linkDensity(weight, root) > LISTING_SHARE) return;
  const large = LARGE_LINK_LIST * (weight.text[root] ?? 0);
  dropWhere(tree, dropped, root, ({ name, parent }, index) => {
    const text = weight.text[index] ?? 0;
    const isInItem = (name === 'ul' || name === 'ol') && tree[parent]?.name === 'li';
    return (
      !isInItem &&
      LINK_LISTS.has(name) &&
      text >= MIN_LINK_LIST &&
      text <= large &&
      linkDensity(weight, index) >= LINK_LIST_SHARE
    );
  });
}
