import { scanHtml } from './scanner.ts';
import { TreeBuilder } from './tree-builder.ts';

/** `end` is the index after the last descendant: the subtree of node `i` is `tree[i + 1 … end - 1]`. */
export type HtmlNode = {
  /** In lower case; empty for a text node. */
  readonly name: string;
  readonly parent: number;
  end: number;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  /** Length of the trimmed text. */
  length: number;
};

/** All nodes in document order; the first is named `#document`. */
export type HtmlTree = readonly Readonly<HtmlNode>[];

/** An XML declaration, or the namespace of XHTML on the root element. */
const XHTML_START =
  /^\uFEFF?\s{0,99}<\?xml\s|<html\s[^<>]{0,999}?\bxmlns\s{0,9}=\s{0,9}["']?http:\/\/www\.w3\.org\/1999\/xhtml\b/i;
const XHTML_LOOKAHEAD = 4_000;

export type ParseOptions = {
  /** The page came as XHTML; a page can also say so itself. Then `<a/>` is an empty element. */
  readonly isXml?: boolean;
  /** Names, in lower case, of attributes to keep besides those that extraction reads. */
  readonly attributes?: ReadonlySet<string>;
};

const NONE: ReadonlySet<string> = new Set();

/** Reads any string as HTML, in linear time and without recursion. */
export function parseHtml(html: string, { isXml = false, attributes = NONE }: ParseOptions = {}): HtmlTree {
  const isXhtml = isXml || XHTML_START.test(html.slice(0, XHTML_LOOKAHEAD));
  const builder = new TreeBuilder(html, { isXhtml, attributes });
  scanHtml(html, builder, isXhtml);
  return builder.finish();
}

/** At most `limit` characters below a node, a space for each `br`; without scripts, styles and dropped nodes. */
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
