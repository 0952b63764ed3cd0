import type { HtmlNode, HtmlTree } from '../html/tree.ts';

/** What is never text, even in a page that was cleaned. */
const NO_TEXT = new Set(['head', 'title', 'script', 'style', 'template', 'svg', 'math', 'iframe', 'object']);

/** A 1 for each node that is no text: scripts, styles, drawings, the head. */
export function withoutText(tree: HtmlTree): Uint8Array {
  const dropped = new Uint8Array(tree.length);
  dropWhere(tree, dropped, 0, ({ name }) => NO_TEXT.has(name));
  return dropped;
}

/** Marks with a 1 each element below `root` for which `isOut` holds, and all in it; asks about none inside one that is out. */
export function dropWhere(
  tree: HtmlTree,
  dropped: Uint8Array,
  root: number,
  isOut: (node: HtmlNode, index: number) => boolean,
): void {
  const end = tree[root]?.end ?? 0;
  for (let i = root + 1; i < end; i++) {
    const node = tree[i];
    if (node === undefined || node.name === '') continue;
    if (dropped[i] !== 1) {
      if (!isOut(node, i)) continue;
      dropped.fill(1, i, node.end);
    }
    i = node.end - 1;
  }
}
