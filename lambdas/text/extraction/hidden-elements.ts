import type { HtmlNode, HtmlTree } from '../html/tree.ts';
import { type Hiding, hidingOf, isTiny, readStyle } from './hiding-style.ts';
import { type StyleRules, styleRules } from './style-rules.ts';
import type { TextWeight } from './text-density.ts';

const MAX_CLASSES = 30;
/** Text that a click brings into view is content. */
const ON_CLICK = /accordion|collaps|faq|tab-?(?:content|pane)|expand|toggle/i;
/** Folded content that a browser shows when a search finds it (6.1). */
const UNTIL_FOUND = 'until-found';
const AT_WIDTHS = /^(?:[a-z0-9]{1,12}:|d-(?:sm|md|lg|xl|xxl)-)/;
/** Represents inline styles without opacity among the selectors of rules that hide text. */
const FADED = 'opacity';
const MAX_FADED = 4;

/** Elements that an attribute, an inline style, a utility class or the page's style rules hide from visitors. */
export class HiddenElements {
  readonly #rules: StyleRules;
  /** The ids of elements that buttons open. */
  readonly #opened = new Set<string>();
  /** Whether scripts seem to fade content in: more elements or text have zero opacity than a page would hide. */
  #fadesIn = false;

  /** Ignores rules that hide more than `limit` characters in all: scripts will show such elements. */
  constructor(tree: HtmlTree, weight: TextWeight, limit: number) {
    this.#rules = styleRules(tree);
    for (const { attributes } of tree) {
      const opened = attributes['aria-controls'];
      if (opened !== undefined) this.#opened.add(opened);
    }
    this.#removeBroad(tree, weight, limit);
  }

  has(node: HtmlNode): boolean {
    const { hidden, class: classes = '', id = '', role, 'aria-hidden': ariaHidden } = node.attributes;
    const isHidden =
      (hidden !== undefined && hidden.toLowerCase() !== UNTIL_FOUND) ||
      ariaHidden === 'true' ||
      (classes !== '' && hidesAtEveryWidth(classes)) ||
      this.#isHiddenByStyle(node);
    return isHidden && role !== 'tabpanel' && !ON_CLICK.test(classes) && !ON_CLICK.test(id);
  }

  /**
   * Returns whether the element's text is too small to read; undefined if neither its inline style nor a rule sets its
   * size.
   */
  isTiny(node: HtmlNode): boolean | undefined {
    const style = node.attributes.style === undefined ? undefined : readStyle(node.attributes.style);
    const own = style && isTiny(style);
    if (own !== undefined || this.#rules.tiny.size === 0) return own;
    const known = selectorsOf(node).flatMap((selector) => this.#rules.tiny.get(selector) ?? []);
    return known.length === 0 ? undefined : known.every((tiny) => tiny);
  }

  #isHiddenByStyle(node: HtmlNode): boolean {
    const { style, id = '', role } = node.attributes;
    const isHiding = (hiding: Hiding): boolean =>
      hiding === 'hidden' ||
      hiding === 'transparent' ||
      (hiding === 'folded' && role !== 'region' && !this.#opened.has(id));
    const inline = style === undefined ? undefined : hidingOfInline(style);
    if (isHiding(inline) && !(inline === 'transparent' && this.#fadesIn)) return true;
    const { hides } = this.#rules;
    return hides.size > 0 && selectorsOf(node).some((selector) => isHiding(hides.get(selector)));
  }

  #removeBroad(tree: HtmlTree, weight: TextWeight, limit: number): void {
    const hides = new Map<string, number>();
    let faded = 0;
    for (const { text, hiders } of this.#hidden(tree, weight)) {
      for (const hider of hiders) hides.set(hider, (hides.get(hider) ?? 0) + text);
      if (hiders.at(-1) === FADED) faded++;
    }
    for (const [selector, text] of hides) if (text > limit) this.#rules.hides.delete(selector);
    this.#fadesIn = faded > MAX_FADED || (hides.get(FADED) ?? 0) > limit;
  }

  *#hidden(tree: HtmlTree, { text }: TextWeight) {
    for (const [i, node] of tree.entries())
      if (node.name !== '' && text[i]) yield { text: text[i], hiders: this.#hidersOf(node) };
  }

  /** Returns the selectors of rules that hide an element; the last may be `FADED`. */
  #hidersOf(node: HtmlNode): readonly string[] {
    const { style } = node.attributes;
    const isFaded = style !== undefined && hidingOfInline(style) === 'transparent';
    const known = this.#rules.hides.size > 0 ? selectorsOf(node).filter((name) => this.#rules.hides.has(name)) : [];
    return isFaded ? [...known, FADED] : known;
  }
}

function hidingOfInline(style: string): Hiding {
  const declarations = readStyle(style);
  return declarations && hidingOf(declarations);
}

function selectorsOf({ attributes }: HtmlNode): readonly string[] {
  const classes = attributes.class?.split(/\s+/, MAX_CLASSES).map((name) => `.${name}`) ?? [];
  return attributes.id === undefined ? classes : [`#${attributes.id}`, ...classes];
}

/**
 * Returns true for the classes `hidden` and `d-none` of common frameworks, unless a class shows the element at some
 * widths.
 */
function hidesAtEveryWidth(classes: string): boolean {
  if (!classes.includes('hidden') && !classes.includes('d-none')) return false;
  const names = classes.split(/\s+/, MAX_CLASSES);
  return (names.includes('hidden') || names.includes('d-none')) && !names.some((name) => AT_WIDTHS.test(name));
}
