import type { HtmlTree } from '../html/tree.ts';

/** Characters of text below each node, and how many of them are inside links; dropped nodes do not count. */
export type TextWeight = {
  readonly text: Float64Array;
  readonly linked: Float64Array;
};

export function weighText(tree: HtmlTree, dropped: Uint8Array): TextWeight {
  const text = new Float64Array(tree.length);
  const linked = new Float64Array(tree.length);
  for (let i = tree.length - 1; i > 0; i--) {
    const node = tree[i];
    if (node === undefined || dropped[i] === 1) continue;
    const { name, parent } = node;
    if (name === '') text[i] = node.length;
    const own = text[i] ?? 0;
    if (own === 0) continue;
    text[parent] = (text[parent] ?? 0) + own;
    if (name === 'a') linked[i] = own;
    linked[parent] = (linked[parent] ?? 0) + (linked[i] ?? 0);
  }
  return { text, linked };
}

export function linkDensity(weight: TextWeight, index: number): number {
  const text = weight.text[index] ?? 0;
  return text === 0 ? 0 : (weight.linked[index] ?? 0) / text;
}
