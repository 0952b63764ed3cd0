import { type HtmlNode, type HtmlTree, textOf } from '../html/tree.ts';
import { type JsonLdItem, parseJsonLd, readJsonLd } from './json-ld.ts';

/** The metadata of a page, with white space collapsed. */
export type PageHead = {
  readonly title: string;
  /** The values by lower-case `name`, `property`, `itemprop` or `http-equiv`, in order. */
  readonly meta: ReadonlyMap<string, readonly string[]>;
  readonly jsonLd: readonly JsonLdItem[];
  /** The parsed scripts that contain `jsonLd`. */
  readonly jsonLdScripts: readonly unknown[];
  readonly htmlLanguage: string;
  readonly baseHref: string | undefined;
  readonly canonicalHref: string | undefined;
};

const MAX_VALUE = 2_000;
const MAX_VALUES = 200;
const MAX_SCRIPT = 500_000;

/** Soft hyphens, direction marks and icon-font glyphs; joiners stay because they shape words and emoji. */
const INVISIBLE = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uE000-\uF8FF]/g;

/** White space other than a single space, which needs no replacement. */
const WHITE_SPACE = /[^\S ]\s*| \s+/g;

/** Collapses white space, trims, and removes invisible characters. */
export function oneLine(text: string): string {
  return text.replace(INVISIBLE, '').replace(WHITE_SPACE, ' ').trim();
}

/** Reads metadata and embedded data of the whole page, but nothing inside `noscript`, `svg` and `template`. */
export function readHead(tree: HtmlTree): PageHead {
  const meta = new Map<string, string[]>();
  let title: string | undefined;
  let htmlLanguage = '';
  let baseHref: string | undefined;
  let canonicalHref: string | undefined;
  const jsonLdScripts: unknown[] = [];
  for (let i = 1; i < tree.length; i++) {
    const node = tree[i];
    if (node === undefined) break;
    const { attributes } = node;
    switch (node.name) {
      case 'noscript':
      case 'svg':
      case 'template':
        i = node.end - 1;
        break;
      case 'html':
        htmlLanguage ||= attributes.lang ?? '';
        break;
      case 'title':
        title ||= oneLine(textOf(tree, i, MAX_VALUE));
        break;
      case 'base':
        baseHref ??= attributes.href;
        break;
      case 'link':
        if (hasRel(node, 'canonical')) canonicalHref ??= attributes.href;
        break;
      case 'meta':
        addMeta(meta, node);
        break;
      case 'script':
        if (attributes.type?.toLowerCase() === 'application/ld+json')
          jsonLdScripts.push(parseJsonLd(textOf(tree, i, MAX_SCRIPT)));
        break;
    }
  }
  const jsonLd = jsonLdScripts.flatMap(readJsonLd);
  return { title: title ?? '', meta, jsonLd, jsonLdScripts, htmlLanguage, baseHref, canonicalHref };
}

export function hasRel(node: HtmlNode, keyword: string): boolean {
  return node.attributes.rel?.toLowerCase().split(/\s+/).includes(keyword) ?? false;
}

function addMeta(meta: Map<string, string[]>, { attributes }: HtmlNode): void {
  const { content } = attributes;
  if (content === undefined) return;
  for (const attribute of ['name', 'property', 'itemprop', 'http-equiv']) {
    const name = attributes[attribute]?.trim().toLowerCase();
    if (name === undefined || name === '') continue;
    const values = meta.get(name) ?? [];
    if (values.length < MAX_VALUES) values.push(oneLine(content.slice(0, MAX_VALUE)));
    meta.set(name, values);
  }
}
