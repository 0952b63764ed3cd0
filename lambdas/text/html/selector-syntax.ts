import {
  AttributeAction,
  type AttributeSelector,
  type PseudoSelector,
  parse,
  SelectorType,
  stringify,
  type Selector as Token,
} from 'css-what';
import type { HtmlNode } from './tree.ts';

/**
 * Supports the CSS selectors that can be matched in linear time: names, `*`, ids, classes, attributes, positions among
 * siblings, `:not()` and `:is()` of these, joined by a space, `>`, `+`, `~` and commas. css-what parses them. This
 * reader refuses `:has()` and whatever depends on a browser.
 */

/**
 * An element's position among its siblings, from 1, counted from the first and from the last sibling: among all, or
 * among those with the same name.
 */
export type Positions = {
  readonly [Of in 'all' | 'type']: { readonly first: Int32Array; readonly last: Int32Array };
};
export type MatchedTree = {
  readonly tree: readonly Readonly<HtmlNode>[];
  readonly positions: () => Positions;
};
type Test = (node: Readonly<HtmlNode>, index: number, of: MatchedTree) => boolean;
export type Combinator = ' ' | '>' | '+' | '~';
/** Matches an element that passes the tests and is related by the combinator to a match of the previous step. */
export type Step = { readonly combinator: Combinator; readonly tests: readonly Test[] };
export type Selector = {
  /** The selectors between the commas. */
  readonly alternatives: readonly (readonly Step[])[];
  /** The attributes that `parseHtml` must keep. */
  readonly attributes: readonly string[];
};

/** Maximum number of steps: each takes one bit of a byte. */
const MAX_STEPS = 8;
const MAX_ALTERNATIVES = 16;
const MAX_NESTING = 3;
const FORM =
  'must be a CSS selector such as .version or #nav > li:not([data-version]): names, classes, ids, attributes and ' +
  'positions with spaces, >, +, ~ and commas';

const COMBINATORS: ReadonlyMap<SelectorType, Combinator> = new Map<SelectorType, Combinator>([
  [SelectorType.Descendant, ' '],
  [SelectorType.Child, '>'],
  [SelectorType.Adjacent, '+'],
  [SelectorType.Sibling, '~'],
]);
const NAME_START = /^[-\w\u0080-\uffff]/;
const POSITION = /^\s*(?:(odd)|(even)|([+-]?\d{0,4})n(?:\s*([+-])\s*(\d{1,4}))?|([+-]?\d{1,4}))\s*$/i;
/** Errors of css-what that end with the rest of the selector. */
const FAULT_WITH_REST = /^(?:Unmatched selector: |Expected name, found )(.*)$/s;
const FAULT_SHOWN = 20;

/** Returns what is wrong with a selector; undefined if it is valid. */
export const selectorFault = (text: string): string | undefined => {
  const read = parseSelector(text);
  return typeof read === 'string' ? read : undefined;
};

/** Returns the number of steps of valid selectors. Matching takes time proportional to steps times elements. */
export const stepsOf = (selectors: readonly string[]): number =>
  selectors.reduce((sum, text) => {
    const read = parseSelector(text);
    return sum + (typeof read === 'string' ? 0 : read.alternatives.flat().length);
  }, 0);

/** Returns the selector, or a message about what is wrong with it. */
export function parseSelector(text: string): Selector | string {
  try {
    return new SelectorReader(text.trim()).read();
  } catch (error) {
    if (error instanceof SelectorFault) return error.message;
    throw error;
  }
}

class SelectorFault extends Error {
  constructor(reason: string) {
    super(`${FORM}; ${reason}`);
  }
}

/** Converts the tokens of css-what to tests, and refuses unsupported ones. */
class SelectorReader {
  readonly #text: string;
  readonly #attributes: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): Selector {
    const alternatives = this.#parsed().map((tokens) => this.#steps(tokens));
    if (alternatives.length > MAX_ALTERNATIVES) throw new SelectorFault(`more than ${MAX_ALTERNATIVES} alternatives`);
    if (alternatives.some(({ length }) => length > MAX_STEPS)) throw new SelectorFault(`more than ${MAX_STEPS} steps`);
    return { alternatives, attributes: this.#attributes };
  }

  #parsed(): readonly (readonly Token[])[] {
    try {
      return parse(this.#text || ',');
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      const rest = FAULT_WITH_REST.exec(message)?.[1];
      throw rest === undefined ? new SelectorFault(`not understood: ${message}`) : this.#notUnderstood(rest);
    }
  }

  #notUnderstood(rest: string): SelectorFault {
    const at = this.#text.length - rest.length + 1;
    const where = rest === '' ? 'it ends too early' : `"${rest.slice(0, FAULT_SHOWN)}" at character ${at}`;
    return new SelectorFault(`not understood: ${where}`);
  }

  #notSupported(token: Token): SelectorFault {
    const isFunction = token.type === SelectorType.Pseudo && token.data !== null;
    const written = isFunction ? `:${token.name}()` : stringify([[token]]).trim();
    const at = this.#text.toLowerCase().indexOf(written.replace(/\)$/, ''));
    const where = written === '' || at < 0 ? '' : ` at character ${at + 1}`;
    return new SelectorFault(`${written || 'a space inside of :not() or :is()'}${where} is not supported`);
  }

  #steps(tokens: readonly Token[]): readonly Step[] {
    const steps: { combinator: Combinator; readonly compound: Token[] }[] = [{ combinator: ' ', compound: [] }];
    for (const token of tokens) {
      const combinator = COMBINATORS.get(token.type);
      if (combinator === undefined) steps.at(-1)?.compound.push(token);
      else steps.push({ combinator, compound: [] });
    }
    if (steps[0]?.compound.length === 0) throw this.#notUnderstood(this.#text);
    if (steps.at(-1)?.compound.length === 0) throw this.#notUnderstood('');
    return steps.map(({ combinator, compound }) => ({ combinator, tests: this.#compound(compound, 0) }));
  }

  #compound(tokens: readonly Token[], depth: number): readonly Test[] {
    return tokens.map((token, index) => {
      const test = this.#test(token, index === 0, depth);
      if (test === undefined) throw this.#notSupported(token);
      return test;
    });
  }

  /** Returns the test for a token; undefined if the token is not supported. */
  #test(token: Token, isFirst: boolean, depth: number): Test | undefined {
    switch (token.type) {
      case SelectorType.Universal:
        return isFirst && token.namespace === null ? () => true : undefined;
      case SelectorType.Tag:
        return isFirst && token.namespace === null ? this.#tag(token.name) : undefined;
      case SelectorType.Attribute:
        return this.#attribute(token);
      case SelectorType.Pseudo:
        return this.#pseudo(token, depth);
      default:
        return undefined;
    }
  }

  #tag(written: string): Test {
    const name = this.#name(written).toLowerCase();
    return (node) => node.name === name;
  }

  /** Returns a valid name, else throws: css-what accepts any sign as a name's first character. */
  #name(name: string): string {
    if (NAME_START.test(name) || this.#text.includes('\\')) return name;
    throw this.#notUnderstood(this.#text.slice(this.#text.indexOf(name)));
  }

  #attribute({ name, action, value, ignoreCase, namespace }: AttributeSelector): Test | undefined {
    if (namespace !== null || action === AttributeAction.Not) return undefined;
    const key = this.#name(name).toLowerCase();
    const isClassOrId = ignoreCase === 'quirks';
    if (isClassOrId) this.#name(value);
    this.#attributes.push(key);
    return attributeTest(key, action, value, ignoreCase === true);
  }

  #pseudo({ name, data }: PseudoSelector, depth: number): Test | undefined {
    if (data === null) return FIXED.get(name);
    if (Array.isArray(data)) return LISTS.has(name) ? this.#list(name === 'not', data, depth) : undefined;
    const position = POSITIONED.get(name);
    return position && this.#position(position, data);
  }

  #position({ of, end }: { readonly of: keyof Positions; readonly end: 'first' | 'last' }, text: string): Test {
    const found = POSITION.exec(text);
    if (!found) throw new SelectorFault(`not understood: the position "${text.slice(0, FAULT_SHOWN)}"`);
    const { every, from } = sequenceOf(found);
    return (_, index, { positions }) => {
      const beyond = (positions()[of][end][index] ?? 0) - from;
      return every === 0 ? beyond === 0 : beyond % every === 0 && beyond / every >= 0;
    };
  }

  #list(isNegated: boolean, lists: readonly (readonly Token[])[], depth: number): Test {
    if (depth >= MAX_NESTING) throw new SelectorFault(`:not() and :is() are nested more than ${MAX_NESTING} times`);
    if (lists.length > MAX_ALTERNATIVES) throw new SelectorFault(`more than ${MAX_ALTERNATIVES} alternatives`);
    const alternatives = lists.map((tokens) => this.#compound(tokens, depth + 1));
    return (node, index, of) =>
      alternatives.some((tests) => tests.every((test) => test(node, index, of))) !== isNegated;
  }
}

/** Returns the step and first position of `an+b`: `2n + 1` is every second element from the first. */
function sequenceOf([, odd, even, step, sign, offset, only]: RegExpExecArray) {
  if (odd !== undefined || even !== undefined) return { every: 2, from: odd === undefined ? 0 : 1 };
  if (only !== undefined) return { every: 0, from: Number(only) };
  const every = Number(/^[+-]?$/.test(step ?? '') ? `${step}1` : step);
  return { every, from: Number(`${sign ?? ''}${offset ?? 0}`) };
}

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

const LISTS: ReadonlySet<string> = new Set(['not', 'is', 'where']);

function attributeTest(attribute: string, action: AttributeAction, wanted: string, ignoresCase: boolean): Test {
  const folded = ignoresCase ? wanted.toLowerCase() : wanted;
  return ({ attributes }) => {
    const value = Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
    return value !== undefined && isMatch(ignoresCase ? value.toLowerCase() : value, action, folded);
  };
}

function isMatch(value: string, action: AttributeAction, wanted: string): boolean {
  switch (action) {
    case AttributeAction.Exists:
      return true;
    case AttributeAction.Equals:
      return value === wanted;
    case AttributeAction.Element:
      return hasWord(value, wanted);
    case AttributeAction.Hyphen:
      return value === wanted || value.startsWith(`${wanted}-`);
    case AttributeAction.Start:
      return wanted !== '' && value.startsWith(wanted);
    case AttributeAction.End:
      return wanted !== '' && value.endsWith(wanted);
    default:
      return wanted !== '' && value.includes(wanted);
  }
}

const BLANK = /\s/;

/** Returns whether a list of words separated by white space has this word. */
function hasWord(words: string, word: string): boolean {
  if (word === '' || BLANK.test(word)) return false;
  for (let at = words.indexOf(word); at >= 0; at = words.indexOf(word, at + 1)) {
    const after = words[at + word.length];
    if ((at === 0 || BLANK.test(words[at - 1] ?? '')) && (after === undefined || BLANK.test(after))) return true;
  }
  return false;
}
