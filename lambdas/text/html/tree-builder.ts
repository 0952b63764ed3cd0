import type { TokenizerCallbacks } from 'htmlparser2';
import { type ElementKind, kindOf } from './element-kinds.ts';
import { OpenElements } from './open-elements.ts';
import { HEADINGS, type ImpliedEnd, impliedEnds, impliedParent, isHeading } from './optional-tags.ts';
import type { HtmlNode, HtmlTree } from './tree.ts';
import { wordSet } from './word-set.ts';

/*
 * Where the tree departs from the HTML standard, 13.2 "Parsing HTML documents" with scripting off. The tokenizer is
 * that of htmlparser2, whose parser is not used: it looks through its stack of open elements at each end tag, so that
 * deep pages take quadratic time (docs/decisions/016-parsers.md).
 *
 * - "Preprocessing the input stream": NUL characters and carriage returns stay.
 * - "End tag open state": an end tag ends at its first `>`, even one inside of an attribute.
 * - "Markup declaration open state": a CDATA section is text everywhere, not only inside SVG and MathML.
 * - "Script data escaped state": a `script` ends at the first `</script`, also behind `<!--`.
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
  type data-nosnippet data-search-ignore colspan rowspan start data-lang data-language
`);
/** Attributes whose values are cut, because extraction matches patterns against them at each element. */
const NAMING = wordSet('class id itemprop');
const MAX_NAMES_LENGTH = 1_000;
const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze({});
/** A character that is not allowed between the elements of a head (13.2.6.4.4). */
const NOT_BLANK = /[^\t\n\f\r ]/;
/** For each end tag: the open elements that limit its effect, besides those that end any scope (13.2.4.2). */
const OWN_SCOPE_ENDS = new Map<string, readonly string[]>([
  ['p', ['button']],
  ['li', ['ul', 'ol']],
]);

type Node = { -readonly [K in keyof HtmlNode]: HtmlNode[K] };

/** Builds a tree from the events of htmlparser2's tokenizer. The numbers in events are offsets into the page. */
export class TreeBuilder implements TokenizerCallbacks {
  readonly #document: Node = { name: '#document', parent: -1, end: 0, attributes: NO_ATTRIBUTES, text: '', length: 0 };
  readonly nodes: Node[] = [this.#document];
  readonly #html: string;
  readonly #isXhtml: boolean;
  readonly #keptAttributes: ReadonlySet<string>;
  readonly #open = new OpenElements();
  readonly #roots = new Map<string, Node>();
  #tag = '';
  #attributes: Record<string, string> | undefined;
  /** Name of the attribute that is being read; empty if it is not kept. */
  #attribute = '';
  #value = '';
  /** Start of the text that is not in the tree yet. */
  #textStart = 0;
  #textEnd = 0;

  constructor(html: string, options: { readonly isXhtml: boolean; readonly attributes: ReadonlySet<string> }) {
    this.#html = html;
    this.#isXhtml = options.isXhtml;
    this.#keptAttributes = new Set([...KEPT_ATTRIBUTES, ...options.attributes]);
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#nameAt(start, end);
    this.#attributes = undefined;
  }

  onattribname(start: number, end: number): void {
    const name = this.#nameAt(start, end);
    const isKept = this.#keptAttributes.has(name) || (name === 'src' && this.#tag === 'frame');
    this.#attribute = isKept ? name : '';
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute !== '') this.#value += this.#html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    if (this.#attribute !== '') this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    const name = this.#attribute;
    if (name === '') return;
    this.#attributes ??= {};
    // The first of two attributes with the same name counts (13.2.5.33).
    this.#attributes[name] ??= NAMING.has(name) ? this.#value.slice(0, MAX_NAMES_LENGTH) : this.#value;
  }

  onopentagend(): void {
    this.#startElement(false);
  }

  onselfclosingtag(): void {
    this.#startElement(true);
  }

  onclosetag(start: number, end: number): void {
    this.#endTag(this.#nameAt(start, end));
  }

  ontext(start: number, end: number): void {
    if (start < 0 || this.#isTagName(start)) return;
    // A `<` without a tag splits a text. One slice of all parts takes far less memory than their concatenation.
    if (start !== this.#textEnd) {
      this.#addPendingText();
      this.#textStart = start;
    }
    this.#textEnd = end;
  }

  ontextentity(codePoint: number): void {
    this.#addPendingText();
    this.#addText(String.fromCodePoint(codePoint));
  }

  oncdata(start: number, end: number, endLength: number): void {
    this.#addPendingText();
    this.#addText(this.#html.slice(start, end - endLength));
  }

  isInForeignContext(): boolean {
    return this.#open.isForeign;
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  finish(): HtmlTree {
    this.#addPendingText();
    this.#closeTo(1);
    this.#document.end = this.nodes.length;
    for (const node of this.nodes) if (node.name === '') node.length = trimmedLength(node.text);
    return this.nodes;
  }

  #nameAt(start: number, end: number): string {
    return this.#html.slice(start, end).toLowerCase();
  }

  /**
   * Returns whether a text is an unfinished tag at the end of the page. The tokenizer reports such a tag as text: from
   * -1, or from the name on.
   */
  #isTagName(start: number): boolean {
    return this.#html[start - 1] === '<' && this.#html[start] !== '<';
  }

  #startElement(isSelfClosed: boolean): void {
    this.#addPendingText();
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

  #endTag(name: string): void {
    this.#addPendingText();
    // Content after these end tags still belongs to the body (13.2.6.4.19).
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

  /** Returns whether an end tag reaches the open element that it names (13.2.4.2, "has an element in scope"). */
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

  #addPendingText(): void {
    const [start, end] = [this.#textStart, this.#textEnd];
    this.#textStart = end;
    if (end > start) this.#addText(this.#html.slice(start, end));
  }

  #addText(text: string): void {
    if (this.#open.name === 'head' && NOT_BLANK.test(text)) this.#closeTo(this.#open.depth);
    const index = this.nodes.length;
    const last = this.nodes[index - 1];
    const parent = this.#open.node;
    if (last?.name === '' && (last.parent === parent || index >= MAX_NODES)) last.text += text;
    else this.nodes.push({ name: '', parent, end: index + 1, attributes: NO_ATTRIBUTES, text, length: 0 });
  }
}

/** Returns the length of the trimmed text. Most texts need no trimming, which a look at both ends shows. */
function trimmedLength(text: string): number {
  return isVisible(text.charCodeAt(0)) && isVisible(text.charCodeAt(text.length - 1))
    ? text.length
    : text.trim().length;
}

const isVisible = (code: number): boolean => code > 0x20 && code < 0x7f;
