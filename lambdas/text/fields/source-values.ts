import { selectText } from '../html/selector.ts';
import type { HtmlTree } from '../html/tree.ts';
import { longPattern } from '../long-pattern.ts';
import { oneLine, type PageHead } from '../metadata/page-head.ts';
import { cut } from '../words/folding.ts';
import type { FieldSource } from './field-source.ts';
import { MAX_PATH } from './field-source.ts';
import { isPathOf, type JsonLdValue, jsonLdValues } from './json-ld-values.ts';

export type NamedValues = readonly [name: string, ...values: string[]];

/**
 * Values that can fill metadata fields, stored with a page: everything that the site's fields named when the page was
 * read, and short values of other names, so that a field can be added without reading the page again.
 */
export type SourceValues = {
  /** Values of meta tags by lower-case name, in order. */
  readonly meta: readonly NamedValues[];
  /** Values of JSON-LD by dotted path from the outermost object. */
  readonly jsonLd: readonly NamedValues[];
  /** Texts by the selectors of the site's fields, including selectors that find nothing. */
  readonly selected?: readonly NamedValues[];
  /** True if the page has more values: a name that is missing here may be on the page. */
  readonly isPartial?: true;
};

export const MAX_VALUE = 512;
export const MAX_VALUES = 20;
/**
 * Limits of values that no field has named: characters of a value, number of meta tags, and characters of all JSON-LD
 * values and paths.
 */
const MAX_KEPT_VALUE = 200;
const MAX_KEPT_META = 100;
const MAX_KEPT_JSON_LD = 4000;

/**
 * Meta tags that are not stored: those for browsers and social networks, those that extraction already stores, and
 * secrets of a session.
 */
const NOT_KEPT = longPattern(
  `
    ^(?:viewport|title|description|(?:og|dc|dcterms):(?:title|description)|(?:twitter|fb|al):.*|robots|generator
    |referrer|theme-color|color-scheme|format-detection|mobile-web-app-.*|apple-.*|msapplication.*|content-type
    |x-ua-compatible|refresh|content-security-policy|origin-trial)$`,
);
const SECRET = /csrf|token|nonce|verif|validate/;
const isKept = (name: string): boolean => name.length <= MAX_PATH && !NOT_KEPT.test(name) && !SECRET.test(name);

export const NO_SOURCE_VALUES: SourceValues = { meta: [], jsonLd: [] };

export function sourceValues(
  tree: HtmlTree,
  { meta, jsonLdScripts }: PageHead,
  wanted: readonly FieldSource[],
): SourceValues {
  const names = new Set(wanted.map((source) => source.meta?.toLowerCase()));
  const paths = wanted.flatMap((source) => source.jsonLd ?? []);
  const keptMeta = keptTags(meta, names);
  const { values, isWhole } = jsonLdValues(jsonLdScripts);
  const keptJsonLd = keptPaths(values, paths);
  const isPartial = !isWhole || keptMeta.isPartial || keptJsonLd.isPartial;
  const selectors = new Set(wanted.flatMap(({ selector }) => selector ?? []));
  const selected = Array.from(selectors, (selector) => textSelected(tree, selector));
  return {
    meta: keptMeta.kept,
    jsonLd: keptJsonLd.kept,
    ...(selected.length > 0 && { selected }),
    ...(isPartial && { isPartial }),
  };
}

/** Returns whether the stored values contain all values of a field, even if there are none. */
export function knows(values: SourceValues, { meta, jsonLd, selector }: FieldSource): boolean {
  if (selector !== undefined) return values.selected?.some(([known]) => known === selector) ?? false;
  const name = meta?.toLowerCase();
  if (name !== undefined) return values.meta.some(([kept]) => kept === name) || (!values.isPartial && isKept(name));
  return jsonLd === undefined || !values.isPartial;
}

function textSelected(tree: HtmlTree, selector: string): NamedValues {
  const text = oneLine(selectText(tree, selector, 4 * MAX_VALUE) ?? '');
  return text === '' ? [selector] : [selector, cut(text, MAX_VALUE)];
}

type Kept = { readonly kept: readonly NamedValues[]; readonly isPartial: boolean };

function keptTags(meta: PageHead['meta'], wanted: ReadonlySet<string | undefined>): Kept {
  const kept: NamedValues[] = [];
  let isPartial = false;
  let room = MAX_KEPT_META;
  for (const [name, contents] of meta) {
    const isWanted = wanted.has(name);
    if (!isWanted && !isKept(name)) continue;
    const values = distinct(contents);
    if (isWanted) kept.push([name, ...values.map((value) => cut(value, MAX_VALUE))]);
    else if (room-- > 0 && values.every(isShort)) kept.push([name, ...values]);
    else isPartial = true;
  }
  return { kept, isPartial };
}

function keptPaths(values: readonly JsonLdValue[], wanted: readonly string[]): Kept {
  const kept = new Map<string, string[]>();
  let isPartial = false;
  let room = MAX_KEPT_JSON_LD;
  for (const { path, text } of values) {
    const list = kept.get(path) ?? [];
    if (list.includes(text)) continue;
    const isWanted = wanted.some((property) => isPathOf(path, property));
    if (!isWanted) room -= text.length + (list.length === 0 ? path.length : 0);
    if (list.length < MAX_VALUES && (isWanted || (isShort(text) && room >= 0))) {
      list.push(text);
      kept.set(path, list);
    } else isPartial = true;
  }
  return { kept: [...kept].map(([path, list]) => [path, ...list] as const), isPartial };
}

const isShort = (value: string): boolean => value.length <= MAX_KEPT_VALUE;

const distinct = (contents: readonly string[]): readonly string[] =>
  [...new Set(contents)].filter((value) => value !== '').slice(0, MAX_VALUES);
