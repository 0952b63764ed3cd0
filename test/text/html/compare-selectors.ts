import { type Options, selectAll } from 'css-select';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { parseHtml } from '../../../lambdas/text/html/parse-html.ts';
import type { HtmlNode, HtmlTree } from '../../../lambdas/text/html/tree.ts';
import { cssAdapter } from './css-adapter.ts';
import { materialNames, materialPage } from './pages.ts';

type Parse5Node = DefaultTreeAdapterTypes.Node;
type Parse5Element = DefaultTreeAdapterTypes.Element;

const isElement = (node: Parse5Node): node is Parse5Element => 'tagName' in node;
const childrenOf = (node: Parse5Node): Parse5Node[] => ('childNodes' in node ? node.childNodes : []);
const parentOf = (node: Parse5Node): Parse5Node | null => ('parentNode' in node ? node.parentNode : null);
const textIn = (node: Parse5Node): string =>
  'value' in node && node.nodeName === '#text' ? node.value : childrenOf(node).map(textIn).join('');
const attributeOf = (element: Parse5Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value;

const parse5Adapter: NonNullable<Options<Parse5Node, Parse5Element>['adapter']> = {
  isTag: isElement,
  getName: ({ tagName }) => tagName,
  getChildren: childrenOf,
  getParent: parentOf,
  getSiblings: (node) => childrenOf(parentOf(node) ?? node),
  getText: textIn,
  getAttributeValue: attributeOf,
  hasAttrib: (element, name) => attributeOf(element, name) !== undefined,
  removeSubsets: (nodes) => nodes,
};

export function select(tree: HtmlTree, selector: string, adapter = cssAdapter(tree)): readonly Readonly<HtmlNode>[] {
  const [document] = tree;
  return document === undefined ? [] : selectAll(selector, document, { adapter });
}

export const ATTRIBUTES = new Set(['src', 'alt', 'title', 'data-id']);
const DESCRIBED = ['id', 'class', 'href', 'name'];
const describeElement = (name: string, attribute: (name: string) => string | undefined): string =>
  [name, ...DESCRIBED.map((key) => attribute(key)?.replace(/\s+/g, ' ').slice(0, 200))].join(' ');

/** For each selector: the elements that it finds, described by name and attributes. */
function found(html: string): readonly (readonly string[])[] {
  const tree = parseHtml(html, { attributes: ATTRIBUTES });
  const adapter = cssAdapter(tree);
  return SELECTORS.map((selector) =>
    select(tree, selector, adapter).map((node) => describeElement(node.name, (name) => node.attributes[name])),
  );
}

function foundByStandard(html: string): readonly (readonly string[])[] {
  const document = parse(html, { scriptingEnabled: false });
  return SELECTORS.map((selector) =>
    selectAll<Parse5Node, Parse5Element>(selector, document, { adapter: parse5Adapter }).map((element) =>
      describeElement(element.tagName, (name) => attributeOf(element, name)),
    ),
  );
}

const SELECTORS = [
  'p',
  'h1, h2, h3',
  'main, article, [role=main]',
  '#content, #main, #top',
  '.content, .post, .entry, .nav',
  'ul.nav li',
  'div > p',
  'ul > li > a',
  'table > tbody > tr > td',
  'tr > td:first-child',
  'h2 + p',
  'h2 ~ ul',
  'p:first-child',
  'li:nth-child(2n+1)',
  'li:nth-last-child(2)',
  'p:nth-of-type(3)',
  'p:last-of-type',
  'div:not([class]):not([id])',
  'li:not(:first-child) > a',
  'div:has(> p)',
  'section:has(h2) p',
  'a[href^="/"]',
  'a[href$=".html" i]',
  'a[href*="?"]',
  'a[rel~=nofollow]',
  'html[lang|=en]',
  'img[alt]:not([alt=""])',
  '[title]',
  'meta[property="og:title"]',
  ':is(h1, h2) > a',
  'p:empty',
];

/** The selectors that find other elements in our tree than in that of parse5. */
export function differingSelectors(html: string): readonly string[] {
  const [ours, standard] = [found(html), foundByStandard(html)];
  return SELECTORS.filter((_, index) => ours[index]?.join('\n') !== standard[index]?.join('\n'));
}

// A command, because parse5 takes four times as long inside of Jest: a JSON line [name, …selectors] for each page.
if (import.meta.main) {
  for (const name of materialNames() ?? [])
    process.stdout.write(`${JSON.stringify([name, ...differingSelectors(materialPage(name))])}\n`);
}
