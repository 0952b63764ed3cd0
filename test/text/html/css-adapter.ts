import type { Options } from 'css-select';
import { type HtmlNode, type HtmlTree, textOf } from '../../../lambdas/text/html/tree.ts';

type Node = Readonly<HtmlNode>;
export type CssAdapter = NonNullable<Options<Node, Node>['adapter']>;

/**
 * Lets css-select walk a tree, from its first node on: `selectAll(selector, tree[0], { adapter: cssAdapter(tree) })`.
 *
 * - An attribute selector matches only attributes that `parseHtml` kept.
 * - css-select counts siblings one by one: `:nth-child` and its kin take quadratic time in the children of one element.
 */
export function cssAdapter(tree: HtmlTree): CssAdapter {
  const { indexes, children, previous } = relationsOf(tree);
  const childrenOf = (node: Node): Node[] => children[indexes.get(node) ?? 0] ?? [];
  const parentOf = (node: Node): Node | null => tree[node.parent] ?? null;
  return {
    isTag: (node): node is Node => isElement(node),
    getName: ({ name }) => name,
    getChildren: childrenOf,
    getParent: parentOf,
    getSiblings: (node) => childrenOf(parentOf(node) ?? node),
    prevElementSibling: (node) => previous[indexes.get(node) ?? 0] ?? null,
    getText: (node) => textOf(tree, indexes.get(node) ?? 0, Number.POSITIVE_INFINITY),
    getAttributeValue: ({ attributes }, name) => (Object.hasOwn(attributes, name) ? attributes[name] : undefined),
    hasAttrib: ({ attributes }, name) => Object.hasOwn(attributes, name),
    removeSubsets: (nodes) => withoutDescendants(nodes, indexes),
  };
}

function relationsOf(tree: HtmlTree) {
  const indexes = new Map<Node, number>();
  const children: Node[][] = tree.map(() => []);
  const previous: (Node | undefined)[] = [];
  const lastElements: (Node | undefined)[] = [];
  for (const [index, node] of tree.entries()) {
    indexes.set(node, index);
    children[node.parent]?.push(node);
    previous[index] = lastElements[node.parent];
    if (isElement(node)) lastElements[node.parent] = node;
  }
  return { indexes, children, previous };
}

function withoutDescendants(nodes: readonly Node[], indexes: ReadonlyMap<Node, number>): Node[] {
  const inOrder = [...new Set(nodes)].sort((a, b) => (indexes.get(a) ?? 0) - (indexes.get(b) ?? 0));
  let end = 0;
  return inOrder.filter((node) => {
    if ((indexes.get(node) ?? 0) < end) return false;
    end = node.end;
    return true;
  });
}

const isElement = ({ name, parent }: Node): boolean => name !== '' && parent >= 0;
