import type { HtmlNode } from './tree.ts';

/*
 * The CSS selectors that can be matched in linear time: names, `*`, ids, classes, attributes, positions among siblings,
 * `:not()` and `:is()` of these, joined by a space, `>`, `+`, `~` and commas. `:has()` is refused, and what depends on
 * a browser.
 */

/** Where an element stands among the elements of its parent, from 1, from either end; of all, or of its own name. */
export type Positions = {
  readonly [Of in 'all' | 'type']: { readonly first: Int32Array; readonly last: Int32Array };
};
export type MatchedTree = {
  readonly tree: readonly Readonly<HtmlNode>[];
  readonly positions: () => Positions;
};
type Test = (node: Readonly<HtmlNode>, index: number, of: MatchedTree) => boolean;
export type Combinator = ' ' | '>' | '+' | '~';
/** Matches an element whose relation to the one of the step before is the combinator. */
export type Step = { readonly combinator: Combinator; readonly tests: readonly Test[] };
export type Selector = {
  /** The selectors between the commas. */
  readonly alternatives: readonly (readonly Step[])[];
  /** The attributes that `parseHtml` has to keep. */
  readonly attributes: readonly string[];
};

/** One bit of a number stands for each step. */
const MAX_STEPS = 8;
const MAX_ALTERNATIVES = 16;
const MAX_NESTING = 3;
const FORM =
  'must be a CSS selector such as .version or #nav > li:not([data-version]): names, classes, ids, attributes and ' +
  'positions with spaces, >, +, ~ and commas';

const NAME = String.raw`(?:[-\w\u0080-\uffff]|\\[^\n0-9a-fA-F])+`;
const ATTRIBUTE = String.raw`\[\s*(${NAME})\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|(${NAME}))\s*([iIsS]?)\s*)?\]`;
const SIMPLE = new RegExp(String.raw`([.#]?)(${NAME})|\*|${ATTRIBUTE}`, 'y');
const PSEUDO = /::?([-\w]*)(\(?)/y;
const COMBINATOR = /\s*([>+~,])\s*|\s+/y;
const POSITION = /\s*(?:(odd)|(even)|([+-]?\d{0,4})n(?:\s*([+-])\s*(\d{1,4}))?|([+-]?\d{1,4}))\s*\)/iy;
const LIST_OPEN = /\s*/y;
const LIST_NEXT = /\s*(?:(,)\s*|\))/y;
const FAULT_SHOWN = 20;

/** Says what is wrong with a selector; undefined if it is valid. */
export const selectorFault = (text: string): string | undefined => {
  const read = parseSelector(text);
  return typeof read === 'string' ? read : undefined;
};

/** The steps of valid selectors: the time to match them is this times the number of elements. */
export const stepsOf = (selectors: readonly string[]): number =>
  selectors.reduce((sum, text) => {
    const read = parseSelector(text);
    return sum + (typeof read === 'string' ? 0 : read.alternatives.flat().length);
  }, 0);

/** The selector, or what is wrong with it. */
export function parseSelector(text: string): Selector | string {
  try {
    return new SelectorReader(text.trim()).read();
  } catch (error) {
    if (error instanceof SelectorFault) return error.message;
    throw error;
  }
}

class SelectorFault extends Error {}

class SelectorReader {
  readonly #text: string;
  readonly #attributes: string[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Selector {
    const alternatives: Step[][] = [[]];
    let combinator: Combinator = ' ';
    for (;;) {
      alternatives.at(-1)?.push({ combinator, tests: this.#compound(0) });
      if (this.#at === this.#text.length) break;
      const found = this.#take(COMBINATOR) ?? this.#fail();
      if (found[1] === ',') alternatives.push([]);
      combinator = found[1] === ',' || found[1] === undefined ? ' ' : (found[1] as Combinator);
    }
    if (alternatives.length > MAX_ALTERNATIVES) this.#fail(`more than ${MAX_ALTERNATIVES} alternatives`);
    if (alternatives.some(({ length }) => length > MAX_STEPS)) this.#fail(`more than ${MAX_STEPS} steps`);
    return { alternatives, attributes: this.#attributes };
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #fail(reason?: string, at = this.#at): never {
    const shown = this.#text.slice(at, at + FAULT_SHOWN);
    const where = shown === '' ? 'it ends too early' : `"${shown}" at character ${at + 1}`;
    throw new SelectorFault(`${FORM}; ${reason === undefined ? `not understood: ${where}` : reason}`);
  }

  #compound(depth: number): readonly Test[] {
    const tests: Test[] = [];
    for (;;) {
      const test = this.#text[this.#at] === ':' ? this.#pseudo(depth) : this.#simple(tests.length === 0);
      if (test === undefined) break;
      tests.push(test);
    }
    return tests.length === 0 ? this.#fail() : tests;
  }

  #simple(isFirst: boolean): Test | undefined {
    const start = this.#at;
    const found = this.#take(SIMPLE);
    if (found === undefined) return undefined;
    const [, kind, name, attribute, operator, double, single, bare, flag] = found;
    if (kind === '' && name !== undefined && !isFirst) this.#fail(undefined, start);
    if (attribute === undefined) return elementTest(kind, unescaped(name ?? '*'));
    const key = unescaped(attribute).toLowerCase();
    this.#attributes.push(key);
    return attributeTest(key, operator, unescaped(double ?? single ?? bare ?? ''), flag?.toLowerCase() === 'i');
  }

  #pseudo(depth: number): Test {
    const start = this.#at;
    const [whole = '', name = '', open] = this.#take(PSEUDO) ?? this.#fail();
    const key = name.toLowerCase();
    const fixed = open === '' && !whole.startsWith('::') ? FIXED.get(key) : undefined;
    if (fixed) return fixed;
    const position = open === '(' ? POSITIONED.get(key) : undefined;
    if (position) return this.#position(position);
    if (open === '(' && (key === 'not' || key === 'is' || key === 'where')) return this.#list(key === 'not', depth);
    return this.#fail(`${whole}${open === '(' ? ')' : ''} at character ${start + 1} is not supported`, start);
  }

  #position({ of, end }: { readonly of: keyof Positions; readonly end: 'first' | 'last' }): Test {
    const { every, from } = sequenceOf(this.#take(POSITION) ?? this.#fail());
    return (_, index, { positions }) => {
      const beyond = (positions()[of][end][index] ?? 0) - from;
      return every === 0 ? beyond === 0 : beyond % every === 0 && beyond / every >= 0;
    };
  }

  #list(isNegated: boolean, depth: number): Test {
    if (depth >= MAX_NESTING) this.#fail(`:not() and :is() are nested more than ${MAX_NESTING} times`);
    const alternatives: (readonly Test[])[] = [];
    this.#take(LIST_OPEN);
    for (;;) {
      alternatives.push(this.#compound(depth + 1));
      const [, isMore] = this.#take(LIST_NEXT) ?? this.#fail();
      if (isMore === undefined) break;
    }
    if (alternatives.length > MAX_ALTERNATIVES) this.#fail(`more than ${MAX_ALTERNATIVES} alternatives`);
    return (node, index, of) =>
      alternatives.some((tests) => tests.every((test) => test(node, index, of))) !== isNegated;
  }
}

/** The step and first position of `an+b`: `2n + 1` is every second element from the first. */
function sequenceOf([, odd, even, step, sign, offset, only]: RegExpExecArray) {
  if (odd !== undefined || even !== undefined) return { every: 2, from: odd === undefined ? 0 : 1 };
  if (only !== undefined) return { every: 0, from: Number(only) };
  const every = Number(/^[+-]?$/.test(step ?? '') ? `${step}1` : step);
  return { every, from: Number(`${sign ?? ''}${offset ?? 0}`) };
}

const unescaped = (name: string): string => name.replace(/\\(.)/gs, '$1');

const positionTest =
  (of: keyof Positions, ...ends: readonly ('first' | 'last')[]): Test =>
  (_, index, { positions }) =>
    ends.every((end) => positions()[of][end][index] === 1);

const FIXED: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['first-child', positionTest('all', 'first')],
  ['last-child', positionTest('all', 'last')],
  ['only-child', positionTest('all', 'first', 'last')],
  ['first-of-type', positionTest('type', 'first')],
  ['last-of-type', positionTest('type', 'last')],
  ['only-of-type', positionTest('type', 'first', 'last')],
  ['root', ({ parent }) => parent === 0],
  [
    'empty',
    (node, index, { tree }) =>
      node.end === index + 1 ||
      (node.end === index + 2 && tree[index + 1]?.text === '' && tree[index + 1]?.name === ''),
  ],
]);

const POSITIONED: ReadonlyMap<string, { readonly of: keyof Positions; readonly end: 'first' | 'last' }> = new Map([
  ['nth-child', { of: 'all', end: 'first' }],
  ['nth-last-child', { of: 'all', end: 'last' }],
  ['nth-of-type', { of: 'type', end: 'first' }],
  ['nth-last-of-type', { of: 'type', end: 'last' }],
]);

function elementTest(kind: string | undefined, name: string): Test {
  if (kind === '#') return ({ attributes }) => attributes.id === name;
  if (kind === '.') return ({ attributes }) => hasWord(attributes.class ?? '', name);
  const tag = name.toLowerCase();
  return (node) => name === '*' || node.name === tag;
}

function attributeTest(attribute: string, operator: string | undefined, wanted: string, ignoresCase: boolean): Test {
  const folded = ignoresCase ? wanted.toLowerCase() : wanted;
  return ({ attributes }) => {
    const value = Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
    if (value === undefined || operator === undefined) return value !== undefined;
    return isMatch(ignoresCase ? value.toLowerCase() : value, operator, folded);
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

const BLANK = /\s/;

/** Whether a list of words separated by white space has this word. */
function hasWord(words: string, word: string): boolean {
  if (word === '' || BLANK.test(word)) return false;
  for (let at = words.indexOf(word); at >= 0; at = words.indexOf(word, at + 1)) {
    const after = words[at + word.length];
    if ((at === 0 || BLANK.test(words[at - 1] ?? '')) && (after === undefined || BLANK.test(after))) return true;
  }
  return false;
}
