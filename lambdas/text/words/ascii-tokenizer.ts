/** Classes of ASCII characters as bits. JOINT may be inside a word, and so may every other character. */
const [GAP, SMALL, CAPITAL, JOINT] = [0, 1, 2, 4] as const;
const OTHER = JOINT;

/** Finds the words that a pattern matches, without the pattern in runs of plain ASCII letters and digits. */
export class AsciiTokenizer {
  readonly #pattern: RegExp;
  readonly #normal: (word: string) => string;
  readonly #kinds: Uint8Array;

  /**
   * In ASCII, `pattern` must match runs of letters, or of letters and digits, with or without other characters between
   * them. `normal` makes the result of a match; it must only lower-case a plain word.
   */
  constructor(pattern: RegExp, normal: (word: string) => string) {
    this.#pattern = pattern;
    this.#normal = normal;
    this.#kinds = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code), pattern));
  }

  /** The normal forms of the first `most` words of a text. */
  words(text: string, most = Number.POSITIVE_INFINITY): readonly string[] {
    const words: string[] = [];
    const kinds = this.#kinds;
    let start = 0;
    let kindsInRun = GAP as number;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const kind = code < 128 ? (kinds[code] as number) : OTHER;
      kindsInRun |= kind;
      if (kind !== GAP) continue;
      if (kindsInRun !== GAP) {
        this.#read(text.slice(start, at), kindsInRun, words);
        if (words.length >= most) return words.slice(0, most);
        kindsInRun = GAP;
      }
      start = at + 1;
    }
    if (kindsInRun !== GAP) this.#read(text.slice(start), kindsInRun, words);
    return words.length > most ? words.slice(0, most) : words;
  }

  #read(run: string, kinds: number, words: string[]): void {
    if (kinds === SMALL) words.push(run);
    else if (kinds < JOINT) words.push(run.toLowerCase());
    else for (const word of run.match(this.#pattern) ?? []) words.push(this.#normal(word));
  }
}

function kindOf(character: string, pattern: RegExp): number {
  const isWord = (text: string) => text.match(pattern)?.[0] === text;
  if (isWord(character)) return /[A-Z]/.test(character) ? CAPITAL : SMALL;
  return isWord(`a${character}a`) ? JOINT : GAP;
}
