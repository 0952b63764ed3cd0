import type { HtmlNode, HtmlTree } from '../html/tree.ts';
import { wordSet } from '../html/word-set.ts';
import { ClassHints } from './class-hints.ts';
import { HiddenElements } from './hidden-elements.ts';
import { dropWhere } from './node-mask.ts';
import { linkDensity, type TextWeight, weighText } from './text-density.ts';

const NEVER_TEXT = wordSet(`
  head title script style template svg math iframe object embed canvas audio video map select option datalist
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
/** Comments that outweigh the other text are the content if the other text has fewer characters. */
const DISCUSSION_TEXT = 3000;

/** `lenient` keeps `noscript`, large elements, and elements with few links whatever their class names. */
export type Strictness = 'strict' | 'lenient';

/** Marks scripts, controls, navigation, page header and footer, hidden text and notices with a 1. */
export function dropBoilerplate(tree: HtmlTree, strictness: Strictness): Uint8Array {
  const isStrict = strictness === 'strict';
  const dropped = new Uint8Array(tree.length);
  dropWhere(tree, dropped, 0, ({ name }) => NEVER_TEXT.has(name) || (isStrict && name === 'noscript'));
  const weight = weighText(tree, dropped);
  const limit = CONTENT_SHARE * (weight.text[0] ?? 0);
  const hidden = new HiddenElements(tree, weight, limit);
  const named = new ClassJudge(weight, strictness);
  dropWhere(tree, dropped, 0, (node, index) => {
    const isLarge = (weight.text[index] ?? 0) > limit || node.name === 'body' || node.name === 'html';
    if (isLarge) return isStrict && isFurniture(node, index, weight);
    return isFurniture(node, index, weight) || hidden.has(node) || named.isBoilerplate(node, index);
  });
  dropUnlessMost(tree, dropped, named.comments, { share: 0.5, below: DISCUSSION_TEXT });
  dropUnlessMost(tree, dropped, named.contents, { share: 0.3, below: Number.POSITIVE_INFINITY });
  return dropped;
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

  /** True for a notice or for navigation. Collects comments and tables of contents, which are judged together later. */
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

/** Drops nodes, unless they hold more than this share of all text and the other text is shorter than `below`. */
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

function isFurniture(node: HtmlNode, index: number, weight: TextWeight): boolean {
  const { name, parent } = node;
  // A button that fills a heading opens the section below: its text is the heading.
  if (name === 'button') return weight.text[index] !== weight.text[parent];
  if (FURNITURE_ELEMENTS.has(name) || FURNITURE_ROLES.has(node.attributes.role ?? '')) return true;
  return (name === 'header' || name === 'aside') && linkDensity(weight, index) > LINKS_SHARE;
}
