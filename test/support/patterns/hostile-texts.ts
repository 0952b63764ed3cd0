import { type AST, RegExpParser } from '@eslint-community/regexpp';
import type { ProductPattern } from './product-patterns.ts';

/** Characters in addition to those of a pattern: one of each kind that patterns distinguish. */
const CHARACTERS = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
  ...'\t\n\r\0éßÉ\u0301\u0600\u0665²Ⅷ\u2028\u3000\u200b\ufeff中ア한ก€©😀\u{e0041}',
];
const CHARACTER_TYPES: ReadonlySet<string> = new Set(['Character', 'CharacterClass', 'CharacterSet']);
/** The number of repetitions in a sample beyond the minimum: few, and many. */
const EXTRA = [
  [0, 0, 0, 0, 0, 4],
  [0, 0, 1, 1, 2, 5],
] as const;
const MAX_PAIRS = 150;
/** The number of repetitions below which a part of a pattern cannot make it slow. */
const MIN_REPEATS = 4;
/** Matches next to nothing. It is no Latin-1: in texts with others, V8 matches `i` more slowly. */
const WRONG = '\uffff';
const SAMPLES = 8;
/** The number of characters of a pattern for which one more sample is added. */
const CHARACTERS_A_SAMPLE = 8;
const MAX_SAMPLES = 40;
/** The longest text that patterns look ahead for. */
const SHORT = 76;

/** Made when it is read, at about the given length. */
export type HostileText = (length: number) => string;

/**
 * Texts that a pattern of its kind tends to read in quadratic or exponential time: something that it repeats, many
 * times, after what leads to it, and with an end that does not match. Made of the pattern's own parts, and the same
 * each time.
 */
export const hostileTexts = (pattern: ProductPattern): readonly HostileText[] => new HostileTexts(pattern).texts();

type Repetition = { readonly lead: string; readonly body: string; readonly rest: string };

class HostileTexts {
  readonly #pattern: ProductPattern;
  readonly #root: AST.Pattern;
  readonly #matching = new Map<string, readonly string[]>();
  readonly #alphabet: readonly string[];
  #seed = 1;
  #extra: readonly number[] = EXTRA[0];

  constructor(pattern: ProductPattern) {
    this.#pattern = pattern;
    const mode = { unicode: pattern.flags.includes('u'), unicodeSets: pattern.flags.includes('v') };
    this.#root = new RegExpParser().parsePattern(pattern.source, 0, pattern.source.length, mode);
    this.#alphabet = this.#oneOfEachKind();
  }

  texts(): readonly HostileText[] {
    const made: HostileText[] = [];
    for (const token of this.#tokens()) {
      made.push((length) => `${repeated(token, length)}${WRONG}`);
      if (token.length > 1) made.push((length) => repeated(token, length));
    }
    for (const { lead, body, rest } of this.#repetitions()) {
      if (body === '') continue;
      const wrong = [WRONG, 'x', ''][this.#below(3)];
      made.push((length) => `${lead}${repeated(body, length)}${wrong}${rest}`);
      made.push((length) => `${lead}${repeated(body, length)}${WRONG}`);
      made.push((length) => `${repeated(lead + body, length)}${WRONG}`);
      const short = `${lead}${repeated(body, SHORT - lead.length)}${wrong}${rest}`;
      made.push((length) => repeated(`${short}\n`, length));
    }
    return made;
  }

  #tokens(): ReadonlySet<string> {
    this.#extra = EXTRA[1];
    const pairs = this.#alphabet.flatMap((first) => this.#alphabet.map((second) => first + second));
    const some = pairs.length <= MAX_PAIRS ? pairs : Array.from({ length: MAX_PAIRS }, () => this.#oneOf(pairs));
    const whole = Array.from({ length: SAMPLES }, () => this.#sample(this.#root));
    const parts = this.#nodes().flatMap((node) => (node.type === 'Alternative' ? [this.#sample(node)] : []));
    return new Set(
      [...this.#alphabet, ...some, ...parts, ...whole, ...whole.map((text) => text.slice(0, -1))].filter(Boolean),
    );
  }

  /** The repeated parts of the pattern, with what precedes and follows them. */
  #repetitions(): readonly Repetition[] {
    return this.#nodes().flatMap((node) => {
      if (node.type !== 'Quantifier' || node.max < MIN_REPEATS) return [];
      const samples = SAMPLES + Math.floor(node.element.raw.length / CHARACTERS_A_SAMPLE);
      return Array.from({ length: Math.min(samples, MAX_SAMPLES) }, (_, index) => {
        this.#extra = EXTRA[0];
        const lead = this.#around(node, (elements, at) => elements.slice(0, at));
        const rest = this.#around(node, (elements, at) => elements.slice(at + 1));
        this.#extra = this.#oneOf(EXTRA);
        const body = this.#sample(node.element) + (index % 2 === 0 ? '' : this.#sample(node.element));
        return { lead: lead.reverse().join(''), body, rest: rest.join('') };
      });
    });
  }

  /** Samples of a part of each sequence that the node is in, from the inside to the outside. */
  #around(node: AST.Node, part: (elements: readonly AST.Element[], at: number) => readonly AST.Element[]): string[] {
    const { parent } = node;
    if (!parent) return [];
    const outer = this.#around(parent, part);
    if (parent.type !== 'Alternative') return outer;
    const own = part(parent.elements, parent.elements.indexOf(node as AST.Element));
    return [own.map((element) => this.#sample(element)).join(''), ...outer];
  }

  /** A text that the node may match. */
  #sample(node: AST.Node): string {
    switch (node.type) {
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return this.#sample(this.#oneOf(node.alternatives));
      case 'Alternative':
        return node.elements.map((element) => this.#sample(element)).join('');
      case 'Quantifier': {
        const times = Math.min(node.max, node.min + this.#oneOf(this.#extra));
        return Array.from({ length: times }, () => this.#sample(node.element)).join('');
      }
      case 'Character':
        return String.fromCodePoint(node.value);
      case 'CharacterClass':
      case 'CharacterSet':
      case 'ExpressionCharacterClass':
        return this.#oneOf(this.#matchingCharacters(node.raw)) ?? '';
      default:
        return '';
    }
  }

  #nodes(): readonly AST.Node[] {
    const found: AST.Node[] = [];
    const visit = (node: AST.Node): void => {
      found.push(node);
      if ('alternatives' in node) node.alternatives.forEach(visit);
      else if (node.type === 'CharacterClass' || node.type === 'Alternative') node.elements.forEach(visit);
      else if (node.type === 'Quantifier') visit(node.element);
      else if (node.type === 'CharacterClassRange') [node.min, node.max].forEach(visit);
      else if (node.type === 'ExpressionCharacterClass') visit(node.expression);
      else if (node.type === 'ClassIntersection' || node.type === 'ClassSubtraction')
        [node.left, node.right].forEach(visit);
    };
    visit(this.#root);
    return found;
  }

  /** Returns one of the characters that no part of the pattern distinguishes. */
  #oneOfEachKind(): readonly string[] {
    const nodes = this.#nodes();
    const own = nodes.flatMap((node) => (node.type === 'Character' ? [String.fromCodePoint(node.value)] : []));
    const parts = nodes.flatMap(({ type, raw }) => (CHARACTER_TYPES.has(type) ? [raw] : []));
    const tests = [...new Set(parts)].map((part) => this.#characterTest(part));
    const kinds = new Map<string, string>();
    for (const character of [...CHARACTERS, ...own]) {
      const kind = tests.map((test) => (test?.test(character) ? '1' : '0')).join('');
      if (!kinds.has(kind)) kinds.set(kind, character);
    }
    return [...kinds.values()];
  }

  #matchingCharacters(part: string): readonly string[] {
    let found = this.#matching.get(part);
    if (!found) {
      const test = this.#characterTest(part);
      found = CHARACTERS.filter((character) => test?.test(character));
      this.#matching.set(part, found);
    }
    return found;
  }

  /** Undefined for what is no pattern outside of a class. */
  #characterTest(part: string): RegExp | undefined {
    try {
      return new RegExp(`^${part}$`, this.#pattern.flags.replace(/[gym]/g, ''));
    } catch {
      return undefined;
    }
  }

  #oneOf<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T;
  }

  /** A linear congruential generator: the same texts in each run. */
  #below(limit: number): number {
    this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((this.#seed / 2 ** 32) * limit);
  }
}

const repeated = (token: string, length: number): string =>
  token.repeat(Math.max(1, Math.floor(length / token.length)));
