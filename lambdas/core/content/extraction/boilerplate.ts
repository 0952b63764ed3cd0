import type { HtmlNode, HtmlTree } from '../html/tree.ts';
import { ClassHints } from './class-hints.ts';
import { HiddenElements } from './hidden-elements.ts';
import { dropWhere } from './node-mask.ts';
import { linkDensity, type TextWeight, weighText } from './text-density.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const NEVER_TEXT = words(
  'head title script style template svg math iframe object embed canvas audio video map select option datalist textarea input dialog',
);
const FURNITURE_ELEMENTS = words('nav footer menu');
const FURNITURE_ROLES = words(
  'navigation banner contentinfo search complementary dialog alertdialog menu menubar toolbar tablist tooltip status alert',
);
/** An element with more than this share of the page's text is its content, whatever its names say and whoever hides it. */
const CONTENT_SHARE = 0.4;
/** A header or an aside is furniture, and so is what is named as navigation, if more than this share of its text is links. */
const LINKS_SHARE = 0.3;
/** Beside fewer characters of other text, comments that are most of the text are what the page is about. */
const DISCUSSION_TEXT = 3000;

/** How much is taken for boilerplate: `lenient` keeps `noscript`, what is large, and what is not rich in links whatever its name. */
export type Strictness = 'strict' | 'lenient';

/** A 1 for every node that is no content: scripts, controls, navigation, page header and footer, hidden text, notices. */
export function dropBoilerplate(tree: HtmlTree, strictness: Strictness): Uint8Array {
  const isStrict = strictness === 'strict';
  const dropped = new Uint8Array(tree.length);
  dropWhere(tree, dropped, 0, ({ name }) => NEVER_TEXT.has(name) || (isStrict && name === 'noscript'));
  const weight = weighText(tree, dropped);
  const limit = CONTENT_SHARE * (weight.text[0] ?? 0);
  const hidden = new HiddenElements(tree, weight, limit);
  const named = new NamedNodes(weight, strictness);
  dropWhere(tree, dropped, 0, (node, index) => {
    const isLarge = (weight.text[index] ?? 0) > limit || node.name === 'body' || node.name === 'html';
    if (isLarge) return isStrict && isFurniture(node, index, weight);
    return isFurniture(node, index, weight) || hidden.has(node) || named.isOut(node, index);
  });
  dropUnlessMost(tree, dropped, named.comments, { share: 0.5, below: DISCUSSION_TEXT });
  dropUnlessMost(tree, dropped, named.contents, { share: 0.3, below: Number.POSITIVE_INFINITY });
  return dropped;
}

/** Goes by the names of elements. */
class NamedNodes {
  readonly comments: number[] = [];
  readonly contents: number[] = [];
  readonly #weight: TextWeight;
  readonly #isStrict: boolean;
  readonly #hints = new ClassHints();

  constructor(weight: TextWeight, strictness: Strictness) {
    this.#weight = weight;
    this.#isStrict = strictness === 'strict';
  }

  /** Whether an element is no content; notes those that may be none. */
  isOut(node: HtmlNode, index: number): boolean {
    if (node.attributes.role === 'tabpanel') return false;
    const isLinks = linkDensity(this.#weight, index) > LINKS_SHARE;
    if (!this.#isStrict && !isLinks) return false;
    const hint = this.#hints.read(node);
    if (hint === 'comments') this.comments.push(index);
    if (hint === 'contents') this.contents.push(index);
    return hint === 'notice' || (hint === 'links' && isLinks);
  }
}

/** Drops nodes, unless they hold more than a share of all text and there is less other text than `below`. */
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
  // A heading that is all button opens what stands below it.
  if (name === 'button') return weight.text[index] !== weight.text[parent];
  if (FURNITURE_ELEMENTS.has(name) || FURNITURE_ROLES.has(node.attributes.role ?? '')) return true;
  return (name === 'header' || name === 'aside') && linkDensity(weight, index) > LINKS_SHARE;
}
