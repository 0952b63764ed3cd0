import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { type ElementKind, kindOf } from './element-kinds.ts';
import { OpenElements } from './open-elements.ts';
import { HEADINGS, type ImpliedEnd, impliedEnds, impliedParent, isHeading } from './optional-tags.ts';
import type { HtmlEvents } from './scanner.ts';
import type { HtmlNode, HtmlTree } from './tree.ts';
import { wordSet } from './word-set.ts';

/*
 * Where the tree departs from the HTML standard, 13.2.6 "Tree construction" with scripting off:
 *
 * - "Insertion modes" before "in body": `html`, `head` and `body` exist only where the page writes them. Comments and
 *   doctypes are left out.
 * - "The list of active formatting elements", "adoption agency algorithm": the end tag of a formatting element takes
 *   effect where the blocks inside of it end, and no element is opened again. (The standard repeats a link in each
 *   block of an unclosed `a`.)
 * - "Foster parenting", "in table": what a page writes between cells stays in the table. Rows and cells outside of any
 *   table are elements.
 * - "In head noscript", "in select", "in frameset", and a `form` in a form: any element may be in these.
 * - "In template": the content is below the `template` itself.
 * - "Parsing tokens in foreign content": names of SVG and MathML are in lower case; `</svg>` and `</math>` end
 *   everything inside.
 * - Only the attributes in `KEPT_ATTRIBUTES`, the `src` of a frame, and those that the caller names are kept; `class`,
 *   `id` and `itemprop` up to 1,000 characters.
 * - A start tag ends open elements at most `IMPLIED_DEPTH` up; the numbers of nodes and of open elements are limited.
 *
 * Numbers in this folder's comments are sections of the HTML standard.
 */

const IMPLIED_DEPTH = 32;
/** Tags beyond this many nodes are ignored; their text is kept. */
const MAX_NODES = 400_000;

const KEPT_ATTRIBUTES = wordSet(`
  class id href rel hidden aria-hidden aria-controls style role name property content http-equiv itemprop lang datetime
  type data-nosnippet data-search-ignore
`);
/** Their values are cut, because extraction matches patterns against them at each element. */
const NAMING = wordSet('class id itemprop');
const LONGEST_NAMES = 1_000;
/** Elements whose text has no character references (13.1.2). */
const RAW_TEXT = wordSet('script style xmp iframe noembed noframes plaintext');
const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze({});
/** By end tag: the open elements beyond which it closes nothing, besides those that end any scope (13.2.4.2). */
const OWN_SCOPE_ENDS = new Map<string, readonly string[]>([
  ['p', ['button']],
  ['li', ['ul', 'ol']],
]);

type Node = { -readonly [K in keyof HtmlNode]: HtmlNode[K] };

export class TreeBuilder implements HtmlEvents {
  readonly #document: Node = { name: '#document', parent: -1, end: 0, attributes: NO_ATTRIBUTES, text: '', length: 0 };
  readonly nodes: Node[] = [this.#document];
  readonly #html: string;
  readonly #isXhtml: boolean;
  readonly #keptAttributes: ReadonlySet<string>;
  readonly #open = new OpenElements();
  readonly #roots = new Map<string, Node>();
  #tag = '';
  #attributes: Record<string, string> | undefined;

  constructor(html: string, options: { readonly isXhtml: boolean; readonly attributes: ReadonlySet<string> }) {
    this.#html = html;
    this.#isXhtml = options.isXhtml;
    this.#keptAttributes = new Set([...KEPT_ATTRIBUTES, ...options.attributes]);
  }

  onOpenTagName(name: string): void {
    this.#tag = name;
    this.#attributes = undefined;
  }

  onAttribute(name: string, valueStart: number, valueEnd: number): void {
    if (!this.#keptAttributes.has(name) && !(name === 'src' && this.#tag === 'frame')) return;
    this.#attributes ??= {};
    // The first of two attributes with the same name counts (13.2.5.33).
    if (this.#attributes[name] !== undefined) return;
    const end = NAMING.has(name) ? Math.min(valueEnd, valueStart + LONGEST_NAMES) : valueEnd;
    const value = this.#html.slice(valueStart, end);
    this.#attributes[name] = value.includes('&') ? decodeHTMLAttribute(value) : value;
  }

  onOpenTagEnd(isSelfClosed: boolean): void {
    const name = this.#tag;
    const kind = kindOf(name);
    const attributes = this.#attributes ?? NO_ATTRIBUTES;
    if (this.#open.isForeign && kind.breaksOut) this.#leaveForeign();
    if (this.#open.isForeign) {
      this.#openElement(name, kind, attributes, isSelfClosed);
      return;
    }
    if (kind.isRoot && this.#mergeRoot(name, attributes)) return;
    if (this.#open.name === 'head' && !kind.isHeadContent) this.#closeTo(this.#open.depth);
    for (const end of impliedEnds(name)) this.#closeImplied(end);
    if (kind.isTablePart) this.#openMissingParents(name);
    const isEmpty = kind.isVoid || (isSelfClosed && (this.#isXhtml || kind.isForeignRoot));
    this.#openElement(name, kind, attributes, isEmpty);
  }

  onCloseTag(name: string): void {
    // What follows these end tags still belongs to the body (13.2.6.4.19).
    if (name === 'body' || name === 'html') return;
    if (name === this.#open.name) {
      this.#closeTo(this.#open.depth);
      return;
    }
    const isEmptyElement = name === 'p' || name === 'br';
    if (isEmptyElement && this.#open.isForeign) this.#leaveForeign();
    const depth = isHeading(name) ? this.#open.depthOfAny(HEADINGS) : this.#open.depthOf(name);
    if (depth > 0 && this.#isInScope(name, depth)) this.#endElement(name, depth);
    else if (isEmptyElement) this.#openElement(name, kindOf(name), NO_ATTRIBUTES, true);
  }

  onText(start: number, end: number): void {
    const text = this.#html.slice(start, end);
    if (this.#open.name === 'head' && /\S/.test(text)) this.#closeTo(this.#open.depth);
    this.#addText(text.includes('&') && !this.#isRaw() ? decodeHTML(text) : text);
  }

  isInForeignContext(): boolean {
    return this.#open.isForeign;
  }

  finish(): HtmlTree {
    this.#closeTo(1);
    this.#document.end = this.nodes.length;
    for (const node of this.nodes) if (node.name === '') node.length = trimmedLength(node.text);
    return this.nodes;
  }

  #isRaw(): boolean {
    return !this.#open.isForeign && RAW_TEXT.has(this.#open.name);
  }

  #leaveForeign(): void {
    let { depth } = this.#open;
    while (this.#open.isForeignAt(depth)) depth--;
    this.#closeTo(depth + 1);
  }

  /** Only the first start tag of a root makes an element; a later one adds the attributes that the first lacks. */
  #mergeRoot(name: string, attributes: HtmlNode['attributes']): boolean {
    const root = this.#roots.get(name);
    if (root === undefined) return false;
    root.attributes = { ...attributes, ...root.attributes };
    return true;
  }

  #closeImplied({ ends, isBarrier }: ImpliedEnd): void {
    const target = this.#open.depthOfAny(ends);
    const { depth } = this.#open;
    if (target === 0 || depth - target >= IMPLIED_DEPTH) return;
    for (let inner = depth; inner > target; inner--) if (isBarrier(this.#open.nameAt(inner))) return;
    this.#closeTo(target);
  }

  #openMissingParents(name: string): void {
    const parent = impliedParent(name, this.#open.name);
    if (parent === undefined || this.#open.isFull || this.nodes.length >= MAX_NODES) return;
    this.#openElement(parent, kindOf(parent), NO_ATTRIBUTES, false);
    this.#openMissingParents(name);
  }

  /** Whether an end tag reaches the open element that it names (13.2.4.2, "has an element in scope"). */
  #isInScope(name: string, depth: number): boolean {
    const { isTablePart, isSpecial, isFormatting, isForeignRoot } = kindOf(name);
    if (name === 'table' || name === 'template' || isForeignRoot) return true;
    if (isTablePart) return depth > this.#open.depthOf('table');
    if (!isSpecial && !isFormatting) return !this.#open.hasSpecialInside(depth);
    return !this.#open.hasScopeEndInside(depth) && depth > this.#open.depthOfAny(OWN_SCOPE_ENDS.get(name) ?? []);
  }

  #openElement(name: string, kind: ElementKind, attributes: HtmlNode['attributes'], isEmpty: boolean): void {
    const index = this.nodes.length;
    if (index >= MAX_NODES) return;
    const node = { name, parent: this.#open.node, end: index + 1, attributes, text: '', length: 0 };
    this.nodes.push(node);
    if (isEmpty || this.#open.isFull) return;
    this.#open.push(name, kind, index);
    if (kind.isRoot) this.#roots.set(name, node);
  }

  #endElement(name: string, depth: number): void {
    if (kindOf(name).isFormatting && this.#open.hasSpecialInside(depth)) this.#open.endLater(depth);
    else this.#closeTo(depth);
  }

  /** Closes the open elements from the innermost one to the one at this depth. */
  #closeTo(depth: number): void {
    while (this.#open.depth > 0 && (this.#open.depth >= depth || this.#open.isEnded)) {
      const node = this.nodes[this.#open.pop()];
      if (node !== undefined) node.end = this.nodes.length;
    }
  }

  #addText(text: string): void {
    const index = this.nodes.length;
    const last = this.nodes[index - 1];
    const parent = this.#open.node;
    if (last?.name === '' && (last.parent === parent || index >= MAX_NODES)) last.text += text;
    else this.nodes.push({ name: '', parent, end: index + 1, attributes: NO_ATTRIBUTES, text, length: 0 });
  }
}

/** Most texts have nothing to trim: a look at both ends is enough. */
function trimmedLength(text: string): number {
  return isVisible(text.charCodeAt(0)) && isVisible(text.charCodeAt(text.length - 1))
    ? text.length
    : text.trim().length;
}

const isVisible = (code: number): boolean => code > 0x20 && code < 0x7f;
