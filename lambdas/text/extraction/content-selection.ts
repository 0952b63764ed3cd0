import { hash } from 'node:crypto';
import { selectElements, selectorAttributes } from '../html/selector.ts';
import type { HtmlTree } from '../html/tree.ts';

/** The site owner's settings for the content of pages: CSS selectors (html/selector-syntax.ts). */
export type ContentSelection = {
  /** The elements that hold the content. A page without them is read like any page. */
  readonly contentSelector?: string | undefined;
  readonly excludeSelectors?: readonly string[] | undefined;
};

/** Returns a version that changes with the selectors; undefined if there are none. */
export function selectionVersion({ contentSelector, excludeSelectors = [] }: ContentSelection): string | undefined {
  if (contentSelector === undefined && excludeSelectors.length === 0) return undefined;
  return hash('sha256', JSON.stringify([contentSelector, excludeSelectors]), 'hex').slice(0, 16);
}

/** Returns the attributes that `parseHtml` must keep. */
export const selectionAttributes = ({ contentSelector, excludeSelectors = [] }: ContentSelection): readonly string[] =>
  [...(contentSelector === undefined ? [] : [contentSelector]), ...excludeSelectors].flatMap(selectorAttributes);

/** Returns a mask with a 1 for each node that the site's owner excludes, by an attribute or by a selector. */
export function ignoredNodes(tree: HtmlTree, { excludeSelectors = [] }: ContentSelection): Uint8Array {
  const ignored = new Uint8Array(tree.length);
  const excluded = excludeSelectors.length > 0 ? selectElements(tree, excludeSelectors) : undefined;
  for (let i = 1; i < tree.length; i++) {
    const node = tree[i];
    if (node?.attributes['data-search-ignore'] === undefined && excluded?.[i] !== 1) continue;
    ignored.fill(1, i, node?.end);
    i = (node?.end ?? i + 1) - 1;
  }
  return ignored;
}

/** Returns the outermost elements that the selector matches. */
export function selectedRoots(tree: HtmlTree, selector: string): readonly number[] {
  const selected = selectElements(tree, [selector]);
  const roots: number[] = [];
  for (let i = 1; i < tree.length; i++) {
    if (selected[i] !== 1) continue;
    roots.push(i);
    i = (tree[i]?.end ?? i + 1) - 1;
  }
  return roots;
}
