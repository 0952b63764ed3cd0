const SLOTS = 512;

/** Reads the names of tags and attributes in one page, in lower case; it has few that come again and again. */
export class HtmlNames {
  readonly #html: string;
  /** The last name read of those that share a slot. */
  readonly #known: string[] = new Array(SLOTS).fill('');

  constructor(html: string) {
    this.#html = html;
  }

  /** The name from `start` up to `end`, which is behind it. */
  read(start: number, end: number): string {
    const html = this.#html;
    const slot = (html.charCodeAt(start) * 31 + html.charCodeAt(end - 1) * 7 + end - start) % SLOTS;
    const known = this.#known[slot];
    if (known !== undefined && known.length === end - start && html.startsWith(known, start)) return known;
    const name = html.slice(start, end).toLowerCase();
    this.#known[slot] = name;
    return name;
  }
}
