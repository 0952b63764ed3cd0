import { Tokenizer } from 'htmlparser2';
import type { HtmlTree } from './tree.ts';
import { TreeBuilder } from './tree-builder.ts';

/** An XML declaration, or the namespace of XHTML on the root element. */
const XHTML_START =
  /^\uFEFF?\s{0,99}<\?xml\s|<html\s[^<>]{0,999}?\bxmlns\s{0,9}=\s{0,9}["']?http:\/\/www\.w3\.org\/1999\/xhtml\b/i;
const XHTML_LOOKAHEAD = 4_000;

export type ParseOptions = {
  /** The page was served as XHTML; a page can also declare it itself. `<a/>` is then an empty element. */
  readonly isXml?: boolean;
  /** Names, in lower case, of attributes to keep besides those that extraction reads. */
  readonly attributes?: ReadonlySet<string>;
};

const NONE: ReadonlySet<string> = new Set();

/** Reads any string as HTML, in linear time and without recursion. */
export function parseHtml(html: string, { isXml = false, attributes = NONE }: ParseOptions = {}): HtmlTree {
  const isXhtml = isXml || XHTML_START.test(html.slice(0, XHTML_LOOKAHEAD));
  const builder = new TreeBuilder(html, { isXhtml, attributes });
  const tokenizer = new Tokenizer({ recognizeSelfClosing: isXhtml }, builder);
  tokenizer.write(html);
  tokenizer.end();
  return builder.finish();
}
