import type { HtmlNode, HtmlTree } from '../html/tree.ts';
import { wordSet } from '../html/word-set.ts';
import { ClassHints } from './class-hints.ts';
import { HiddenElements } from './hidden-elements.ts';
import { dropWhere } from './node-mask.ts';
import { linkDensity, type TextWeight, weighText } from './text-density.ts';

const NEVER_TEXT = wordSet(`
  head title script style template svg math iframe noframes object embed canvas audio video map select option datalist
  textarea input dialog
`);
const FURNITURE_ELEMENTS = wordSet('nav footer menu');
const FURNITURE_ROLES = wordSet(`
  navigation banner contentinfo search complementary dialog alertdialog menu menubar toolbar tablist tooltip status
  alert
`);
/** An element with a larger share of the page's text is content, whatever its class names or styles say. */
const CONTENT_SHARE = 0.4;
/** A header, an aside or an element with a navigation class is furniture if more of its text is links. */
const LINKS_SHARE = 0.3;
/** A paragraph is prose if less of its text is links. */
const SENTENCE_LINKS = 0.5;
/** Comments longer than the other text are the content if the other text has fewer characters than this. */
const DISCUSSION_TEXT = 3000;

/** `lenient` keeps `noscript`, large elements, and elements with few links whatever their class names. */
export type Strictness = 'strict' | 'lenient';

/**
 * Returns a mask with a 1 for scripts, controls, navigation, page header and footer, hidden text and notices, and for
 * all that is `ignored`.
 */
export function dropBoilerplate(tree: HtmlTree, strictness: Strictness, ignored: Uint8Array): Uint8Array {
  const isStrict = strictness === 'strict';
  const { dropped, weight, limit, hidden } = withoutUnseen(tree, isStrict, ignored);
  const named = new ClassJudge(weight, strictness);
  dropWhere(tree, dropped, 0, (node, index) => {
    const isLarge = (weight.text[index] ?? 0) > limit || node.name === 'body' || node.name === 'html';
    if (isLarge) {
      if (isStrict) named.noteComments(node, index);
      return isStrict && isFurniture(node, index, weight);
    }
    return (
      isFurniture(node, index, weight) ||
      hidden.has(node) ||
      (!isInSentence(tree, node, weight) && named.isBoilerplate(node, index))
    );
  });
  dropUnlessMost(tree, dropped, named.comments, { share: 0.5, below: DISCUSSION_TEXT });
  dropUnlessMost(tree, dropped, named.contents, { share: 0.3, below: Number.POSITIVE_INFINITY });
  return dropped;
}

/** Returns a mask with a 1 for scripts, controls and hidden text, and for all that is `ignored`. */
export function dropUnseen(tree: HtmlTree, ignored: Uint8Array): Uint8Array {
  const { dropped, weight, hidden } = withoutUnseen(tree, true, ignored);
  const isControl = (node: HtmlNode, index: number) => node.name === 'button' && isFurniture(node, index, weight);
  dropWhere(tree, dropped, 0, (node, index) => hidden.has(node) || isControl(node, index));
  return dropped;
}

/** Marks elements that never hold text, and tiny text. Finds out which elements are hidden. */
function withoutUnseen(tree: HtmlTree, isStrict: boolean, ignored: Uint8Array) {
  const dropped = ignored.slice();
  dropWhere(tree, dropped, 0, ({ name }) => NEVER_TEXT.has(name) || (isStrict && name === 'noscript'));
  const weight = weighText(tree, dropped);
  const limit = CONTENT_SHARE * (weight.text[0] ?? 0);
  const hidden = new HiddenElements(tree, weight, limit);
  dropTinyText(tree, dropped, hidden, limit);
  return { dropped, weight, limit, hidden };
}

/**
 * Marks text that is too small to read. Marks none if most of the page is tiny, because then its size is set elsewhere.
 */
function dropTinyText(tree: HtmlTree, dropped: Uint8Array, hidden: HiddenElements, limit: number): void {
  const isTiny = new Uint8Array(tree.length);
  const texts: number[] = [];
  let length = 0;
  for (const [i, node] of tree.entries()) {
    if (node.name !== '') isTiny[i] = i === 0 ? 0 : Number(hidden.isTiny(node) ?? isTiny[node.parent] === 1);
    else if (isTiny[node.parent] === 1 && dropped[i] !== 1 && node.length > 0) {
      texts.push(i);
      length += node.length;
    }
  }
  if (length <= limit) for (const index of texts) dropped[index] = 1;
}

class ClassJudge {
  readonly comments: number[] = [];
  readonly contents: number[] = [];
  readonly #weight: TextWeight;
  readonly #isStrict: boolean;
  readonly #hints = new ClassHints();

  constructor(weight: TextWeight, strictness: Strictness) {
    this.#weight = weight;
    this.#isStrict = strictness === 'strict';
  }

  /** Collects a large element of comments, which is not content below a long article. */
  noteComments(node: HtmlNode, index: number): void {
    if (this.#hints.read(node) === 'comments') this.comments.push(index);
  }

  /**
   * Returns whether an element is a notice or navigation. Collects comments and tables of contents, which are judged
   * together later.
   */
  isBoilerplate(node: HtmlNode, index: number): boolean {
    if (node.attributes.role === 'tabpanel') return false;
    const isLinks = linkDensity(this.#weight, index) > LINKS_SHARE;
    if (!this.#isStrict && !isLinks) return false;
    const hint = this.#hints.read(node);
    if (hint === 'comments') this.comments.push(index);
    if (hint === 'contents') this.contents.push(index);
    return hint === 'notice' || (hint === 'links' && isLinks);
  }
}

/** Drops nodes, unless they hold more than `share` of all text and the other text is shorter than `below`. */
function dropUnlessMost(
  tree: HtmlTree,
  dropped: Uint8Array,
  nodes: readonly number[],
  most: { readonly share: number; readonly below: number },
): void {
  if (nodes.length === 0) return;
  const without = dropped.slice();
  for (const index of nodes) without.fill(1, index, tree[index]?.end ?? index);
  const rest = weighText(tree, without).text[0] ?? 0;
  const all = weighText(tree, dropped).text[0] ?? 0;
  if (rest < most.below && all - rest > most.share * all) return;
  dropped.set(without);
}

/** Returns whether a link is in a paragraph of prose: it is then part of a sentence, whatever its class. */
function isInSentence(tree: HtmlTree, { name, parent }: HtmlNode, weight: TextWeight): boolean {
  return name === 'a' && tree[parent]?.name === 'p' && linkDensity(weight, parent) < SENTENCE_LINKS;
}

function isFurniture(node: HtmlNode, index: number, weight: TextWeight): boolean {
  const { name, parent } = node;
  // A button that fills a heading opens the section below. Its text is the heading.
  if (name === 'button') return weight.text[index] !== weight.text[parent];
  if (FURNITURE_ELEMENTS.has(name) || FURNITURE_ROLES.has(node.attributes.role ?? '')) return true;
  return (name === 'header' || name === 'aside') && linkDensity(weight, index) > LINKS_SHARE;
}
