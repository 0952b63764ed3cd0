import { wordSet } from './word-set.ts';

const SLOTS = 512;

/** A hash of the first, middle and last character and the length; no two names of `COMMON` share a slot. */
function slotOf(text: string, start: number, end: number): number {
  const length = end - start;
  const middle = text.charCodeAt(start + (length >> 1));
  return (text.charCodeAt(start) * 31 + middle * 7 + text.charCodeAt(end - 1) * 3 + length) % SLOTS;
}

const COMMON = wordSet(`
  a article aside b body br button class code content dd div dl dt em footer form h1 h2 h3 h4 head header href html
  i id img input label li link main meta name nav ol p path pre rel script section span strong style svg table tbody
  td th thead time title tr type ul
`);

/** V8 internalises object keys, so that comparing a name from this cache with a literal compares pointers. */
const INITIAL_CACHE: readonly string[] = Object.keys(
  Object.fromEntries(Array.from(COMMON, (name) => [name, name])),
).reduce((slots, name) => {
  slots[slotOf(name, 0, name.length)] = name;
  return slots;
}, new Array<string>(SLOTS).fill(''));

/** Reads names of tags and attributes in lower case, with a cache: a page repeats few names many times. */
export class HtmlNames {
  readonly #html: string;
  readonly #cache = INITIAL_CACHE.slice();

  constructor(html: string) {
    this.#html = html;
  }

  /** `end` is the index after the name. */
  read(start: number, end: number): string {
    const slot = slotOf(this.#html, start, end);
    const cached = this.#cache[slot];
    if (cached !== undefined && cached.length === end - start && this.#html.startsWith(cached, start)) return cached;
    const name = this.#html.slice(start, end).toLowerCase();
    this.#cache[slot] = name;
    return name;
  }
}
