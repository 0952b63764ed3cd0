import { type HtmlNode, type HtmlTree, textOf } from './tree.ts';

/*
 * CSS selectors that are matched in linear time: names, `*`, ids, classes and attributes, joined by a space, `>`, `+`,
 * `~` and commas. Pseudo-classes are refused.
 */

type Test = (node: Readonly<HtmlNode>) => boolean;
type Combinator = ' ' | '>' | '+' | '~';
/** Matches an element whose relation to the one of the step before is the combinator. */
type Step = {
  readonly combinator: Combinator;
  readonly tests: readonly Test[];
  readonly attributes: readonly string[];
};
/** The alternatives between commas. */
type Selector = readonly (readonly Step[])[];

export const MAX_SELECTOR = 200;
/** One bit of a number stands for each step. */
const MAX_STEPS = 8;
const MAX_ALTERNATIVES = 4;
const FAULT =
  'must be a CSS selector such as .version or #nav > li[data-version]: names, classes, ids and attributes with spaces, ' +
  '>, +, ~ and commas, but no pseudo-classes';

const NAME = String.raw`(?:[-\w\u0080-\uffff]|\\[^\n0-9a-fA-F])+`;
const ATTRIBUTE = String.raw`\[\s*(${NAME})\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|(${NAME}))\s*)?\]`;
const SIMPLE = new RegExp(String.raw`([.#]?)(${NAME})|\*|${ATTRIBUTE}`, 'y');
const COMBINATOR = /\s*([>+~,])\s*|\s+/y;

/** Why a selector is refused; undefined if it is valid. */
export const selectorFault = (selector: string): string | undefined => (parse(selector) ? undefined : FAULT);

/** The attributes that `parseHtml` has to keep for a valid selector. */
export const selectorAttributes = (selector: string): readonly string[] =>
  parse(selector)?.flatMap((steps) => steps.flatMap(({ attributes }) => attributes)) ?? [];

/** The text of the first element that a valid selector matches; undefined if there is none. */
export function selectText(tree: HtmlTree, selector: string, limit: number): string | undefined {
  const matches = parse(selector)?.flatMap((steps) => firstMatch(tree, steps) ?? []) ?? [];
  return matches.length === 0 ? undefined : textOf(tree, Math.min(...matches), limit);
}

function parse(selector: string): Selector | undefined {
  const text = selector.trim();
  const alternatives: Step[][] = [[]];
  let combinator: Combinator = ' ';
  for (let at = 0; ; at = COMBINATOR.lastIndex) {
    const { tests, attributes, end } = compoundAt(text, at);
    if (tests.length === 0) return undefined;
    alternatives.at(-1)?.push({ combinator, tests, attributes });
    if (end === text.length) return hasRoom(alternatives) ? alternatives : undefined;
    COMBINATOR.lastIndex = end;
    const found = COMBINATOR.exec(text);
    if (found === null) return undefined;
    if (found[1] === ',') alternatives.push([]);
    combinator = found[1] === ',' || found[1] === undefined ? ' ' : (found[1] as Combinator);
  }
}

const hasRoom = (alternatives: Selector): boolean =>
  alternatives.length <= MAX_ALTERNATIVES && alternatives.every(({ length }) => length <= MAX_STEPS);

function compoundAt(text: string, start: number) {
  const tests: Test[] = [];
  const attributes: string[] = [];
  let end = start;
  for (;;) {
    SIMPLE.lastIndex = end;
    const found = SIMPLE.exec(text);
    const isName = found?.[1] === '' && found[2] !== undefined;
    if (found === null || (isName && end > start)) return { tests, attributes, end };
    const [, kind, name, attribute, operator, ...values] = found;
    if (attribute !== undefined) attributes.push(unescaped(attribute).toLowerCase());
    const value = values.find((one) => one !== undefined) ?? '';
    tests.push(
      attribute === undefined ? elementTest(kind, unescaped(name ?? '*')) : attributeTest(attribute, operator, value),
    );
    end = SIMPLE.lastIndex;
  }
}

const unescaped = (name: string): string => name.replace(/\\(.)/gs, '$1');

function elementTest(kind: string | undefined, name: string): Test {
  if (kind === '#') return ({ attributes }) => attributes.id === name;
  if (kind === '.') return ({ attributes }) => hasWord(attributes.class ?? '', name);
  const tag = name.toLowerCase();
  return (node) => name === '*' || node.name === tag;
}

function attributeTest(escaped: string, operator: string | undefined, quoted: string): Test {
  const attribute = unescaped(escaped).toLowerCase();
  const wanted = unescaped(quoted);
  return ({ attributes }) => {
    const value = Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
    return value !== undefined && (operator === undefined || isMatch(value, operator, wanted));
  };
}

function isMatch(value: string, operator: string, wanted: string): boolean {
  switch (operator) {
    case '=':
      return value === wanted;
    case '~=':
      return hasWord(value, wanted);
    case '|=':
      return value === wanted || value.startsWith(`${wanted}-`);
    case '^=':
      return wanted !== '' && value.startsWith(wanted);
    case '$=':
      return wanted !== '' && value.endsWith(wanted);
    default:
      return wanted !== '' && value.includes(wanted);
  }
}

const hasWord = (words: string, word: string): boolean => words.includes(word) && words.split(/\s+/).includes(word);

/** Bit `n` of an element says that the steps up to `n` match and end at it; each element is looked at once. */
function firstMatch(tree: HtmlTree, steps: readonly Step[]): number | undefined {
  const bitsOf = () => new Uint8Array(tree.length);
  /** By element: its own bits, and with those of its ancestors. By parent: those of its last child, and of all. */
  const bits = { '>': bitsOf(), ' ': bitsOf(), '+': bitsOf(), '~': bitsOf() };
  const last = 1 << (steps.length - 1);
  for (let i = 1; i < tree.length; i++) {
    const node = tree[i];
    if (node === undefined || node.name === '') continue;
    const { parent } = node;
    const own = stepsMatched(node, steps, (combinator) => bits[combinator][parent] ?? 0);
    if ((own & last) !== 0) return i;
    bits['>'][i] = own;
    bits[' '][i] = own | (bits[' '][parent] ?? 0);
    bits['+'][parent] = own;
    bits['~'][parent] = own | (bits['~'][parent] ?? 0);
  }
  return undefined;
}

function stepsMatched(node: HtmlNode, steps: readonly Step[], bitsBefore: (combinator: Combinator) => number): number {
  let matched = 0;
  for (const [n, { combinator, tests }] of steps.entries()) {
    const isReached = n === 0 || (bitsBefore(combinator) & (1 << (n - 1))) !== 0;
    if (isReached && tests.every((test) => test(node))) matched |= 1 << n;
  }
  return matched;
}
