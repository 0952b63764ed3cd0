import type { HtmlTree } from '../html/tree.ts';
import { oneLine } from '../metadata/page-head.ts';
import { MAX_TITLE } from '../metadata/title-evidence.ts';
import { contentBlocks } from './content-blocks.ts';
import { withoutText } from './node-mask.ts';

const MAX_HEADINGS = 10;
/** A larger element is not a heading; the limit bounds the work for headings inside headings. */
const MAX_HEADING_NODES = 2_000;

/**
 * Returns the texts of the first `h1` elements, including those outside the main content, but not those that are
 * `ignored`.
 */
export function topHeadings(tree: HtmlTree, dropped: Uint8Array, ignored: Uint8Array): readonly string[] {
  const headings: string[] = [];
  let textMask: Uint8Array | undefined;
  for (let i = 0; i < tree.length && headings.length < MAX_HEADINGS; i++) {
    const node = tree[i];
    if (node?.name !== 'h1' || ignored[i] === 1 || node.end - i > MAX_HEADING_NODES) continue;
    if (linksHome(tree, i)) continue;
    let text = headingText(tree, i, dropped);
    if (text === '') {
      textMask ??= withoutText(tree, ignored);
      text = headingText(tree, i, textMask);
    }
    if (text !== '' && text.length <= MAX_TITLE) headings.push(text);
  }
  return headings;
}

const HOME = /^(?:https?:\/\/[^/]+)?\/(?:index\.\w{3,5})?$/i;

/** Returns whether a heading links to a home page: it is then the name of the site. */
function linksHome(tree: HtmlTree, index: number): boolean {
  const end = tree[index]?.end ?? 0;
  for (let i = index + 1; i < end; i++)
    if (tree[i]?.name === 'a' && HOME.test(tree[i]?.attributes.href ?? '')) return true;
  return false;
}

const headingText = (tree: HtmlTree, index: number, dropped: Uint8Array): string =>
  oneLine(
    contentBlocks(tree, index, dropped, 'all')
      .map(({ text }) => text)
      .join(' '),
  );
