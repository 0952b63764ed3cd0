/** `end` is the index after the last descendant: the subtree of node `i` is `tree[i + 1 … end - 1]`. */
export type HtmlNode = {
  /** Name in lower case; empty for a text node. */
  readonly name: string;
  readonly parent: number;
  end: number;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  /** Length of the trimmed text. */
  length: number;
};

/** All nodes in document order; the first is named `#document`. */
export type HtmlTree = readonly Readonly<HtmlNode>[];

/**
 * Returns the first `limit` characters below a node, with a space for each `br`, and without scripts, styles and
 * dropped nodes.
 */
export function textOf(tree: HtmlTree, index: number, limit: number, dropped?: Uint8Array): string {
  let text = '';
  const end = tree[index]?.end ?? 0;
  for (let i = index; i < end && text.length < limit; i++) {
    const node = tree[i];
    if (node === undefined) break;
    if (i > index && (dropped?.[i] === 1 || node.name === 'script' || node.name === 'style')) i = node.end - 1;
    else text += node.name === 'br' ? ' ' : node.text;
  }
  return text.slice(0, limit);
}
