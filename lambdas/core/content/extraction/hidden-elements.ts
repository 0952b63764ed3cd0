import type { HtmlNode, HtmlTree } from '../html/tree.ts';
import { hiddenSelectors } from './hidden-selectors.ts';
import type { TextWeight } from './text-density.ts';

const MAX_CLASSES = 30;
const HIDING_STYLE = /(?:^|[;\s])(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden)/i;
/** Text that a click brings into view is content. */
const ON_CLICK = /accordion|collaps|faq|tab-?(?:content|pane)|expand|toggle/i;
/** Folded content that a browser shows when a search finds it (6.1). */
const UNTIL_FOUND = 'until-found';
const AT_WIDTHS = /^(?:[a-z0-9]{1,12}:|d-(?:sm|md|lg|xl|xxl)-)/;

/** Elements that an attribute, an inline style, a utility class or the page's style rules hide from visitors. */
export class HiddenElements {
  readonly #selectors: Set<string>;

  /** Ignores rules that hide more than `limit` characters in all: scripts will show such elements. */
  constructor(tree: HtmlTree, weight: TextWeight, limit: number) {
    this.#selectors = hiddenSelectors(tree);
    if (this.#selectors.size > 0) this.#removeBroad(tree, weight, limit);
  }

  has(node: HtmlNode): boolean {
    const { hidden, style, class: classes = '', id = '', role, 'aria-hidden': ariaHidden } = node.attributes;
    const isHidden =
      (hidden !== undefined && hidden.toLowerCase() !== UNTIL_FOUND) ||
      ariaHidden === 'true' ||
      (style !== undefined && HIDING_STYLE.test(style)) ||
      (classes !== '' && hidesAtEveryWidth(classes)) ||
      (this.#selectors.size > 0 && this.#selectorsOf(node).length > 0);
    return isHidden && role !== 'tabpanel' && !ON_CLICK.test(classes) && !ON_CLICK.test(id);
  }

  #selectorsOf({ attributes }: HtmlNode): readonly string[] {
    const classes = attributes.class?.split(/\s+/, MAX_CLASSES).map((name) => `.${name}`) ?? [];
    return [`#${attributes.id ?? ''}`, ...classes].filter((selector) => this.#selectors.has(selector));
  }

  #removeBroad(tree: HtmlTree, weight: TextWeight, limit: number): void {
    const hides = new Map<string, number>();
    for (let i = 1; i < tree.length; i++) {
      const node = tree[i];
      if (node === undefined || node.name === '') continue;
      for (const selector of this.#selectorsOf(node)) {
        hides.set(selector, (hides.get(selector) ?? 0) + (weight.text[i] ?? 0));
      }
    }
    for (const [selector, text] of hides) if (text > limit) this.#selectors.delete(selector);
  }
}

/** True for the classes `hidden` and `d-none` of common frameworks, unless a class shows the element at some widths. */
function hidesAtEveryWidth(classes: string): boolean {
  if (!classes.includes('hidden') && !classes.includes('d-none')) return false;
  const names = classes.split(/\s+/, MAX_CLASSES);
  return (names.includes('hidden') || names.includes('d-none')) && !names.some((name) => AT_WIDTHS.test(name));
}
