import type { HtmlNode, HtmlTree } from './html-tree.ts';

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
