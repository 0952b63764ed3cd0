/** What an ASCII character is to a word; all others are to be looked at. */
const [GAP, SMALL, CAPITAL, JOINT] = [0, 1, 2, 4] as const;
const OTHER = JOINT;

/** Cuts texts into the words that a pattern finds, which is asked only about what is not plain ASCII. */
export class AsciiTokenizer {
  readonly #pattern: RegExp;
  readonly #normal: (word: string) => string;
  readonly #kinds: Uint8Array;

  /**
   * In ASCII a word of the `pattern` is letters, or letters and digits, and may have other signs between them. `normal` is how
   * a word is told; it puts a plain one in lower case.
   */
  constructor(pattern: RegExp, normal: (word: string) => string) {
    this.#pattern = pattern;
    this.#normal = normal;
    this.#kinds = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code), pattern));
  }

  /** The normal forms of the first words of a text, at most so many. */
  words(text: string, most = Number.POSITIVE_INFINITY): readonly string[] {
    const words: string[] = [];
    const kinds = this.#kinds;
    let start = 0;
    let met = GAP as number;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const kind = code < 128 ? (kinds[code] as number) : OTHER;
      met |= kind;
      if (kind !== GAP) continue;
      if (met !== GAP) {
        this.#read(text.slice(start, at), met, words);
        if (words.length >= most) return words.slice(0, most);
        met = GAP;
      }
      start = at + 1;
    }
    if (met !== GAP) this.#read(text.slice(start), met, words);
    return words.length > most ? words.slice(0, most) : words;
  }

  #read(run: string, met: number, words: string[]): void {
    if (met === SMALL) words.push(run);
    else if (met < JOINT) words.push(run.toLowerCase());
    else for (const word of run.match(this.#pattern) ?? []) words.push(this.#normal(word));
  }
}

function kindOf(character: string, pattern: RegExp): number {
  const isWord = (text: string) => text.match(pattern)?.[0] === text;
  if (isWord(character)) return /[A-Z]/.test(character) ? CAPITAL : SMALL;
  return isWord(`a${character}a`) ? JOINT : GAP;
}
