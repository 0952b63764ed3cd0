import {
  type Combinator,
  type MatchedTree,
  type Positions,
  parseSelector,
  type Selector,
  type Step,
} from './selector-syntax.ts';
import { type HtmlTree, textOf } from './tree.ts';

/** Returns the attributes that `parseHtml` must keep for a valid selector. */
export const selectorAttributes = (selector: string): readonly string[] => valid(selector).attributes;

/** Returns the text of the first element that a valid selector matches; undefined if there is none. */
export function selectText(tree: HtmlTree, selector: string, limit: number): string | undefined {
  let first = Number.POSITIVE_INFINITY;
  const matched = matchedTree(tree);
  for (const steps of valid(selector).alternatives)
    for (const index of matches(matched, steps)) {
      first = Math.min(first, index);
      break;
    }
  return first === Number.POSITIVE_INFINITY ? undefined : textOf(tree, first, limit);
}

/** Returns a mask with a 1 for each element that one of these valid selectors matches. */
export function selectElements(tree: HtmlTree, selectors: readonly string[]): Uint8Array {
  const selected = new Uint8Array(tree.length);
  const matched = matchedTree(tree);
  for (const selector of selectors)
    for (const steps of valid(selector).alternatives) for (const index of matches(matched, steps)) selected[index] = 1;
  return selected;
}

const NOTHING: Selector = { alternatives: [], attributes: [] };

function valid(text: string): Selector {
  const selector = parseSelector(text);
  return typeof selector === 'string' ? NOTHING : selector;
}

function matchedTree(tree: HtmlTree): MatchedTree {
  let positions: Positions | undefined;
  return { tree, positions: () => (positions ??= { all: positionsIn(tree, 'all'), type: positionsIn(tree, 'type') }) };
}

/**
 * Returns each element's position counted from the first and from the last: among all children of its parent, or among
 * those with the same name.
 */
function positionsIn(tree: HtmlTree, by: keyof Positions) {
  const first = new Int32Array(tree.length);
  const last = new Int32Array(tree.length);
  const count = (positions: Int32Array, counts: Map<string | number, number>, index: number): void => {
    const node = tree[index];
    if (node === undefined || node.name === '') return;
    const group = by === 'type' ? `${node.parent} ${node.name}` : node.parent;
    const position = (counts.get(group) ?? 0) + 1;
    counts.set(group, position);
    positions[index] = position;
  };
  const [forwards, backwards] = [new Map<string | number, number>(), new Map<string | number, number>()];
  for (let i = 1; i < tree.length; i++) count(first, forwards, i);
  for (let i = tree.length - 1; i > 0; i--) count(last, backwards, i);
  return { first, last };
}

/**
 * Yields the elements that the steps match, in document order. Bit `n` of an element is set if the steps up to `n`
 * match and end at it. Each element is visited once, so this takes linear time.
 */
function* matches(matched: MatchedTree, steps: readonly Step[]): Generator<number> {
  const { tree } = matched;
  const bits = new StepBits(tree.length);
  const last = 1 << (steps.length - 1);
  for (let i = 1; i < tree.length; i++) {
    const node = tree[i];
    if (node === undefined || node.name === '') continue;
    const own = stepsMatched(matched, i, steps, bits);
    if ((own & last) !== 0) yield i;
    bits.add(i, node.parent, own);
  }
}

/**
 * For each element: its bits, and these combined with its ancestors' bits. For each parent: the bits of its last child,
 * and of all children so far.
 */
class StepBits {
  readonly before: Readonly<Record<Combinator, Uint8Array>>;

  constructor(length: number) {
    const bitsOf = () => new Uint8Array(length);
    this.before = { '>': bitsOf(), ' ': bitsOf(), '+': bitsOf(), '~': bitsOf() };
  }

  add(index: number, parent: number, own: number): void {
    const { '>': self, ' ': above, '+': previous, '~': earlier } = this.before;
    self[index] = own;
    above[index] = own | (above[parent] ?? 0);
    previous[parent] = own;
    earlier[parent] = own | (earlier[parent] ?? 0);
  }
}

function stepsMatched(matched: MatchedTree, index: number, steps: readonly Step[], { before }: StepBits): number {
  const node = matched.tree[index];
  if (node === undefined) return 0;
  let found = 0;
  for (let n = 0; n < steps.length; n++) {
    const step = steps[n];
    if (step === undefined) break;
    const isReached = n === 0 || ((before[step.combinator][node.parent] ?? 0) & (1 << (n - 1))) !== 0;
    if (isReached && step.tests.every((test) => test(node, index, matched))) found |= 1 << n;
  }
  return found;
}
