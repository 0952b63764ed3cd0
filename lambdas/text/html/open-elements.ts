import type { ElementKind } from './element-kinds.ts';

/** Deeper elements become children of the deepest allowed one, as in browsers. */
const MAX_DEPTH = 512;

/** Replaces the name of an element whose end tag has been read but whose content is still open. */
const ENDED = '';

/**
 * The stack of open elements (13.2.4.2). `name`, `node` and `isForeign` describe the innermost one. All operations take
 * constant time, so deep nesting costs no more than other markup.
 */
export class OpenElements {
  /** The depth of the innermost open element; 0 is the document. */
  depth = 0;
  readonly #names: string[] = ['#document'];
  readonly #nodes = new Int32Array(MAX_DEPTH);
  /** For each depth: the depth of the innermost special element that is open there. */
  readonly #specials = new Int32Array(MAX_DEPTH);
  /** For each depth: the depth of the innermost element that ends a scope. */
  readonly #scopes = new Int32Array(MAX_DEPTH);
  /** For each depth: 1 if the content is SVG or MathML. */
  readonly #foreign = new Uint8Array(MAX_DEPTH);
  readonly #depths = new Map<string, number[]>();

  get isFull(): boolean {
    return this.depth + 1 >= MAX_DEPTH;
  }

  get name(): string {
    return this.#names[this.depth] ?? '';
  }

  get node(): number {
    return this.#nodes[this.depth] ?? 0;
  }

  /** True if a start tag creates an element of SVG or MathML here. */
  get isForeign(): boolean {
    return this.#foreign[this.depth] === 1;
  }

  nameAt(depth: number): string {
    return this.#names[depth] ?? '';
  }

  isForeignAt(depth: number): boolean {
    return this.#foreign[depth] === 1;
  }

  /** Returns the depth of the innermost open element with this name; 0 if there is none. */
  depthOf(name: string): number {
    return this.#depths.get(name)?.at(-1) ?? 0;
  }

  depthOfAny(names: readonly string[]): number {
    let deepest = 0;
    for (const name of names) deepest = Math.max(deepest, this.depthOf(name));
    return deepest;
  }

  hasSpecialInside(depth: number): boolean {
    return (this.#specials[this.depth] ?? 0) > depth;
  }

  hasScopeEndInside(depth: number): boolean {
    return (this.#scopes[this.depth] ?? 0) > depth;
  }

  push(name: string, kind: ElementKind, node: number): void {
    const isForeign = kind.isForeignRoot || this.isForeign;
    const isSpecial = isForeign ? kind.isIntegrationPoint : kind.isSpecial;
    const isScopeEnd = isForeign ? kind.isIntegrationPoint : kind.isScopeEnd;
    const special = this.#specials[this.depth] ?? 0;
    const scope = this.#scopes[this.depth] ?? 0;
    const depth = ++this.depth;
    this.#names[depth] = name;
    this.#nodes[depth] = node;
    this.#specials[depth] = isSpecial ? depth : special;
    this.#scopes[depth] = isScopeEnd ? depth : scope;
    this.#foreign[depth] = isForeign && !kind.isIntegrationPoint ? 1 : 0;
    const depths = this.#depths.get(name);
    if (depths === undefined) this.#depths.set(name, [depth]);
    else depths.push(depth);
  }

  /** Ends the element at this depth together with its content. Later tags no longer find it. */
  endLater(depth: number): void {
    this.#depths.get(this.nameAt(depth))?.pop();
    this.#names[depth] = ENDED;
  }

  get isEnded(): boolean {
    return this.name === ENDED;
  }

  pop(): number {
    const { node, name } = this;
    this.depth--;
    this.#depths.get(name)?.pop();
    return node;
  }
}
