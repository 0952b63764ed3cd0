const SLOTS = 512;

/** By the first, middle and last sign of a name: those of `COMMON` have a slot each. */
function slotOf(text: string, start: number, end: number): number {
  const length = end - start;
  const middle = text.charCodeAt(start + (length >> 1));
  return (text.charCodeAt(start) * 31 + middle * 7 + text.charCodeAt(end - 1) * 3 + length) % SLOTS;
}

/** Names that most pages have. Property names are the very strings that literals are, so that most comparisons of names are of references. */
const COMMON = Object.keys(
  Object.fromEntries(
    'a article aside b body br button class code content dd div dl dt em footer form h1 h2 h3 h4 head header href html i id img input label li link main meta name nav ol p path pre rel script section span strong style svg table tbody td th thead time title tr type ul'
      .split(' ')
      .map((name) => [name, name]),
  ),
);
const KNOWN: readonly string[] = COMMON.reduce((known, name) => {
  known[slotOf(name, 0, name.length)] = name;
  return known;
}, new Array<string>(SLOTS).fill(''));

/** Reads the names of tags and attributes in one page, in lower case: a page has few that come again and again. */
export class HtmlNames {
  readonly #html: string;
  /** The last name read of those that share a slot. */
  readonly #known = KNOWN.slice();

  constructor(html: string) {
    this.#html = html;
  }

  /** The name from `start` up to `end`, which is behind it. */
  read(start: number, end: number): string {
    const slot = slotOf(this.#html, start, end);
    const known = this.#known[slot];
    if (known !== undefined && known.length === end - start && this.#html.startsWith(known, start)) return known;
    const name = this.#html.slice(start, end).toLowerCase();
    this.#known[slot] = name;
    return name;
  }
}
