const WORD = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu;
const HYPHENATED = /(?<![\p{L}\p{N}])([\p{L}\p{N}]+)[-\u2010]$/u;
const FIRST_WORD = /^[\p{L}\p{N}]+/u;
const SOFT_HYPHEN = /\u00AD$/;
/** Scripts that are written without spaces, at the end and at the start of a line. */
const [ENDS_UNSPACED, STARTS_UNSPACED] = [
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}、。，]$/u,
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u,
];

/** Joins the lines of paragraphs. Other words of the document decide whether a hyphen stays. */
export class LineJoiner {
  readonly #words = new Set<string>();

  constructor(lines: Iterable<string>) {
    let isBroken = false;
    for (const line of lines) {
      const words = line.match(WORD) ?? [];
      const isBrokenNext = HYPHENATED.test(line);
      for (const word of words.slice(isBroken ? 1 : 0, isBrokenNext ? -1 : undefined))
        this.#words.add(word.toLowerCase());
      isBroken = isBrokenNext;
    }
  }

  join(lines: readonly string[]): string {
    return lines.reduce((text, line) => (text === '' ? line : this.#joinTwo(text, line)), '');
  }

  #joinTwo(text: string, line: string): string {
    if (SOFT_HYPHEN.test(text)) return text.slice(0, -1) + line;
    const start = HYPHENATED.exec(text)?.[1];
    const rest = FIRST_WORD.exec(line)?.[0];
    if (start !== undefined && rest !== undefined)
      return this.#isOneWord(start, rest) ? text.slice(0, -1) + line : text + line;
    return ENDS_UNSPACED.test(text) && STARTS_UNSPACED.test(line) ? text + line : `${text} ${line}`;
  }

  #isOneWord(start: string, rest: string): boolean {
    const [first, second] = [start.toLowerCase(), rest.toLowerCase()];
    if (this.#words.has(first + second)) return true;
    if (this.#words.has(`${first}-${second}`)) return false;
    if (/^[\p{Lu}\p{N}]/u.test(rest) || /\p{N}$/u.test(start)) return false;
    return !(this.#words.has(first) && this.#words.has(second));
  }
}
