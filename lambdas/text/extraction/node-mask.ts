import type { HtmlNode, HtmlTree } from '../html/tree.ts';
import { wordSet } from '../html/word-set.ts';

/** Elements that never hold text of the page, even if the page has no boilerplate. */
const NO_TEXT = wordSet('head title script style template svg math iframe noframes object');

/** Returns a mask with a 1 for each node of scripts, styles, drawings and the head, and for each that is `ignored`. */
export function withoutText(tree: HtmlTree, ignored: Uint8Array): Uint8Array {
  const dropped = ignored.slice();
  dropWhere(tree, dropped, 0, ({ name }) => NO_TEXT.has(name));
  return dropped;
}

/** Marks the subtree of each element below `root` for which `isDropped` holds, without looking inside. */
export function dropWhere(
  tree: HtmlTree,
  dropped: Uint8Array,
  root: number,
  isDropped: (node: HtmlNode, index: number) => boolean,
): void {
  const end = tree[root]?.end ?? 0;
  for (let i = root + 1; i < end; i++) {
    const node = tree[i];
    if (node === undefined || node.name === '') continue;
    if (dropped[i] !== 1) {
      if (!isDropped(node, i)) continue;
      dropped.fill(1, i, node.end);
    }
    i = node.end - 1;
  }
}
