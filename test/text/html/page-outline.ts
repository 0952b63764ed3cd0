import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { parseHtml } from '../../../lambdas/text/html/parse-html.ts';
import { wordSet } from '../../../lambdas/text/html/word-set.ts';

export type PageOutline = {
  /** The text outside of `UNSEEN` elements, with one space for white space and at the edges of blocks. */
  readonly text: string;
  /** The decoded `href` of each `a` and `area`. */
  readonly links: readonly string[];
  /** Level and text, such as `h2 Weirs`. */
  readonly headings: readonly string[];
};

const UNSEEN = wordSet('script style template title textarea xmp iframe noembed noframes plaintext');
const INLINE = wordSet(`
  a abbr b bdi bdo big cite code del dfn em font i ins kbd label mark
  nobr q s samp small span strike strong sub sup time tt u var wbr
`);
const HEADING = /^h[1-6]$/;

type Visitor = {
  readonly enter: (name: string, attributes: ReadonlyMap<string, string>) => void;
  readonly leave: (name: string) => void;
  readonly addText: (text: string) => void;
};

class OutlineWriter implements Visitor {
  #text = '';
  readonly #links: string[] = [];
  readonly #headings: string[] = [];
  /** For each open heading: where its text starts. */
  readonly #starts: number[] = [];
  #unseen = 0;

  enter(name: string, attributes: ReadonlyMap<string, string>): void {
    if (UNSEEN.has(name)) this.#unseen++;
    if (this.#unseen > 0) return;
    if (!INLINE.has(name)) this.#text += ' ';
    const href = attributes.get('href');
    if ((name === 'a' || name === 'area') && href !== undefined) this.#links.push(href);
    if (HEADING.test(name)) this.#starts.push(this.#text.length);
  }

  leave(name: string): void {
    if (UNSEEN.has(name)) this.#unseen--;
    if (this.#unseen > 0) return;
    if (HEADING.test(name)) this.#headings.push(`${name} ${plain(this.#text.slice(this.#starts.pop()))}`);
    if (!INLINE.has(name)) this.#text += ' ';
  }

  addText(text: string): void {
    if (this.#unseen === 0) this.#text += text;
  }

  finish(): PageOutline {
    return { text: plain(this.#text), links: this.#links, headings: this.#headings };
  }
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Writes all elements as `(name …)`, with white space collapsed. */
class ShapeWriter implements Visitor {
  #shape = '';
  enter(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#shape += `(${name}`;
    for (const kept of ['href', 'lang', 'class']) if (attributes.has(kept)) this.#shape += `[${attributes.get(kept)}]`;
    this.#shape += ' ';
  }

  leave(): void {
    this.#shape += ')';
  }

  addText(text: string): void {
    this.#shape += text;
  }

  finish(): string {
    return this.#shape.replace(/\s+/g, ' ');
  }
}

export const ourOutline = (html: string): PageOutline => visitOurs(html, new OutlineWriter()).finish();
export const standardOutline = (html: string): PageOutline => visitStandard(html, new OutlineWriter()).finish();

export const ourShape = (html: string): string => visitOurs(html, new ShapeWriter()).finish();
export const standardShape = (html: string): string => visitStandard(html, new ShapeWriter()).finish();

function visitOurs<V extends Visitor>(html: string, visitor: V): V {
  const tree = parseHtml(html);
  const open: { readonly name: string; readonly end: number }[] = [];
  const leaveBefore = (index: number): void => {
    for (let top = open.at(-1); top !== undefined && top.end <= index; top = open.at(-1)) {
      visitor.leave(top.name);
      open.pop();
    }
  };
  for (const [index, node] of tree.entries()) {
    if (index === 0) continue;
    leaveBefore(index);
    if (node.name === '') visitor.addText(node.text);
    else {
      visitor.enter(node.name, new Map(Object.entries(node.attributes)));
      open.push(node);
    }
  }
  leaveBefore(tree.length);
  return visitor;
}

/** With scripting off, `noscript` has elements. Names of SVG elements are put into lower case. */
function visitStandard<V extends Visitor>(html: string, visitor: V): V {
  type Step = { readonly node: DefaultTreeAdapterTypes.Node } | { readonly leave: string };
  const steps: Step[] = [{ node: parse(html, { scriptingEnabled: false }) }];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if ('leave' in step) {
      visitor.leave(step.leave);
      continue;
    }
    const { node } = step;
    if (node.nodeName === '#text' && 'value' in node) visitor.addText(node.value);
    if ('attrs' in node) {
      const name = node.tagName.toLowerCase();
      visitor.enter(name, new Map(node.attrs.map((attribute) => [attribute.name, attribute.value])));
      steps.push({ leave: name });
    }
    const parent = 'content' in node ? node.content : node;
    if ('childNodes' in parent) for (const child of parent.childNodes.toReversed()) steps.push({ node: child });
  }
  return visitor;
}
