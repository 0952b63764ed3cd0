import { Entities } from './entities.ts';
import { closesBefore, endsCells, isHeadContent, isVoidElement } from './optional-tags.ts';
import { type HtmlEvents, scanHtml } from './scanner.ts';

/** A node of a page; `end` is the index after its last descendant, so `nodes[i + 1 … end - 1]` is its subtree. */
export type HtmlNode = {
  /** Lower case; empty for text. */
  readonly name: string;
  readonly parent: number;
  end: number;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  /** Of the text, without white space around it. */
  length: number;
};

/** All nodes in document order; the first is the document itself, named `#document`. */
export type HtmlTree = readonly Readonly<HtmlNode>[];

/** Deeper elements become children of the deepest allowed one, as browsers do; this also bounds the work for each end tag. */
const MAX_DEPTH = 512;
/** A start tag ends open elements at most this far up. */
const IMPLIED_DEPTH = 32;
/** Tags beyond this many nodes are ignored, their text is kept. */
const MAX_NODES = 400_000;
/** An XML declaration, or the namespace of XHTML on the root element. */
const XHTML_START =
  /^\uFEFF?\s{0,99}<\?xml\s|<html\s[^<>]{0,999}?\bxmlns\s{0,9}=\s{0,9}["']?http:\/\/www\.w3\.org\/1999\/xhtml\b/i;
const XHTML_LOOKAHEAD = 4_000;

const KEPT_ATTRIBUTES = new Set(
  'class id href rel hidden aria-hidden style role name property content http-equiv itemprop lang datetime type'.split(
    ' ',
  ),
);
/** Elements of other vocabularies, in which `/>` ends an element (HTML 13.2.6.5). */
const FOREIGN = new Set(['svg', 'math']);
/** What an element is called is looked at for each of its children: a longer name or list of names is cut. */
const NAMING = new Set(['class', 'id', 'itemprop']);
const LONGEST_NAMES = 1_000;
/** Elements whose text has no references in it (HTML 13.1.2). */
const RAW_TEXT = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext']);
/** An end tag of these without its start tag makes an empty element, which parts the words around it (HTML 13.2.6.4.7). */
const BROUGHT_BY_END = new Set(['br', 'p']);
const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze({});

class TreeBuilder implements HtmlEvents {
  readonly nodes: HtmlNode[] = [
    { name: '#document', parent: -1, end: 0, attributes: NO_ATTRIBUTES, text: '', length: 0 },
  ];
  readonly #html: string;
  readonly #isXml: boolean;
  /** Indexes and names of the open elements. */
  readonly #open: number[] = [0];
  readonly #names: string[] = ['#document'];
  /** Where on the stack the elements of each name are, so that an end tag is answered without a search. */
  readonly #depths = new Map<string, number[]>();
  #tag = '';
  #attributes: Record<string, string> | undefined;
  #foreignDepth = 0;
  readonly #entities = new Entities();

  constructor(html: string, isXml: boolean) {
    this.#html = html;
    this.#isXml = isXml;
  }

  onOpenTagName(name: string): void {
    this.#tag = name;
    this.#attributes = undefined;
  }

  onAttribute(name: string, valueStart: number, valueEnd: number): void {
    if (!KEPT_ATTRIBUTES.has(name)) return;
    this.#attributes ??= {};
    // The first of two attributes of the same name counts (HTML 13.2.5.33).
    const end = NAMING.has(name) ? Math.min(valueEnd, valueStart + LONGEST_NAMES) : valueEnd;
    this.#attributes[name] ??= this.#entities.decodeAttribute(this.#html.slice(valueStart, end));
  }

  onOpenTagEnd(isSelfClosed: boolean): void {
    this.#openElement(isSelfClosed && (this.#isXml || this.#foreignDepth > 0 || FOREIGN.has(this.#tag)));
  }

  onCloseTag(name: string): void {
    const last = this.#names.length - 1;
    if (name === this.#names[last]) {
      this.#closeTo(last);
      return;
    }
    const depth = this.#innermost(name);
    const cell = endsCells(name) ? 0 : Math.max(this.#innermost('td'), this.#innermost('th'));
    if (depth === 0 && BROUGHT_BY_END.has(name)) this.#addEmpty(name);
    else if (depth > 0 && depth >= cell) this.#closeTo(depth);
  }

  onText(start: number, end: number): void {
    const text = this.#html.slice(start, end);
    if (this.#isInHead() && /\S/.test(text)) this.#closeTo(this.#open.length - 1);
    this.#addText(text.includes('&') && !this.#isRaw() ? this.#entities.decodeText(text) : text);
  }

  isInForeignContext(): boolean {
    return this.#foreignDepth > 0;
  }

  finish(): HtmlTree {
    this.#closeTo(0);
    for (const node of this.nodes) if (node.name === '') node.length = trimmedLength(node.text);
    return this.nodes;
  }

  #addEmpty(name: string): void {
    this.#tag = name;
    this.#attributes = undefined;
    this.#openElement(true);
  }

  #isInHead(): boolean {
    return this.#names[this.#names.length - 1] === 'head';
  }

  #isRaw(): boolean {
    return this.#foreignDepth === 0 && RAW_TEXT.has(this.#names[this.#names.length - 1] ?? '');
  }

  #innermost(name: string): number {
    return this.#depths.get(name)?.at(-1) ?? 0;
  }

  #openElement(selfClosed: boolean): void {
    const name = this.#tag;
    if (this.#isInHead() && !isHeadContent(name)) this.#closeTo(this.#open.length - 1);
    this.#closeImplied(name);
    if (this.nodes.length >= MAX_NODES) return;
    const index = this.nodes.length;
    const parent = this.#open[this.#open.length - 1] ?? 0;
    this.nodes.push({
      name,
      parent,
      end: index + 1,
      attributes: this.#attributes ?? NO_ATTRIBUTES,
      text: '',
      length: 0,
    });
    if (selfClosed || isVoidElement(name) || this.#open.length >= MAX_DEPTH) return;
    this.#open.push(index);
    this.#names.push(name);
    const depths = this.#depths.get(name);
    if (depths === undefined) this.#depths.set(name, [this.#open.length - 1]);
    else depths.push(this.#open.length - 1);
    if (FOREIGN.has(name)) this.#foreignDepth++;
  }

  #closeImplied(name: string): void {
    const rule = closesBefore(name);
    if (rule === undefined) return;
    const last = this.#names.length - 1;
    for (let depth = last; depth > 0 && depth > last - IMPLIED_DEPTH; depth--) {
      const open = this.#names[depth] ?? '';
      if (rule.closes.has(open)) this.#closeTo(depth);
      if (rule.closes.has(open) || !rule.passes(open)) return;
    }
  }

  #closeTo(depth: number): void {
    while (this.#open.length > depth) {
      const name = this.#names.pop() ?? '';
      this.#depths.get(name)?.pop();
      const node = this.nodes[this.#open.pop() ?? 0];
      if (node !== undefined) node.end = this.nodes.length;
      if (this.#foreignDepth > 0 && FOREIGN.has(name)) this.#foreignDepth--;
    }
  }

  #addText(text: string): void {
    const last = this.nodes[this.nodes.length - 1];
    const parent = this.#open[this.#open.length - 1] ?? 0;
    if (last !== undefined && last.name === '' && (last.parent === parent || this.nodes.length >= MAX_NODES)) {
      last.text += text;
      return;
    }
    const index = this.nodes.length;
    this.nodes.push({ name: '', parent, end: index + 1, attributes: NO_ATTRIBUTES, text, length: 0 });
  }
}

/** Most texts have nothing to trim, which their ends tell. */
function trimmedLength(text: string): number {
  return isVisible(text.charCodeAt(0)) && isVisible(text.charCodeAt(text.length - 1))
    ? text.length
    : text.trim().length;
}

const isVisible = (code: number): boolean => code > 0x20 && code < 0x7f;

/**
 * Reads any string as HTML, in linear time and without recursion; comments are left out. In XHTML, told by `isXml` or by the
 * page itself, an element that closes itself is empty.
 */
export function parseHtml(html: string, isXml = false): HtmlTree {
  const recognizeSelfClosing = isXml || XHTML_START.test(html.slice(0, XHTML_LOOKAHEAD));
  const builder = new TreeBuilder(html, recognizeSelfClosing);
  scanHtml(html, builder, recognizeSelfClosing);
  return builder.finish();
}

/** At most `limit` characters of the text below a node, a line break as a space; without nodes that have a 1 in `dropped`. */
export function textOf(tree: HtmlTree, index: number, limit: number, dropped?: Uint8Array): string {
  let text = '';
  const end = tree[index]?.end ?? 0;
  for (let i = index; i < end && text.length < limit; i++) {
    const node = tree[i];
    if (node === undefined) break;
    if (i > index && (dropped?.[i] === 1 || node.name === 'script' || node.name === 'style')) i = node.end - 1;
    else text += node.name === 'br' ? ' ' : node.text;
  }
  return text.slice(0, limit);
}
