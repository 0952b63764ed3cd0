/** Classes of ASCII characters. */
const [SIGN, SMALL, CAPITAL, DIGIT, BLANK] = [0, 1, 2, 3, 4] as const;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return SMALL;
  if (/[A-Z]/.test(character)) return CAPITAL;
  if (/[0-9]/.test(character)) return DIGIT;
  return /\s/.test(character) ? BLANK : SIGN;
});
const TO_CAPITAL = -32;
/**
 * The low bits of a letter's code, the same for both cases. Other characters share them: a source of false positives.
 */
const LETTER_BITS = 5;
const LETTER = 2 ** LETTER_BITS - 1;

/** Finds the pieces of a text that may contain one of some terms, by the first two characters. Has false positives. */
export class PrefixFilter {
  readonly #isFirst = new Uint8Array(128);
  readonly #isPair = new Uint8Array(2 ** (2 * LETTER_BITS));

  /** `kept`: the number of first letters that a word shares with its stem (`lettersKept`). */
  constructor(terms: Iterable<string>, kept: 1 | 2) {
    for (const term of terms) {
      const first = term.charCodeAt(0);
      if (first >= 128) continue;
      this.#isFirst[first] = 1;
      if (KINDS[first] === SMALL) this.#isFirst[first + TO_CAPITAL] = 1;
      const second = term.charAt(1);
      const pairs = (first & LETTER) << LETTER_BITS;
      if (kept === 1 || !/^[ -~]$/.test(second)) this.#isPair.fill(1, pairs, pairs + LETTER + 1);
      for (const letter of second === 'i' ? 'iy' : second) this.#isPair[pairs | (letter.charCodeAt(0) & LETTER)] = 1;
    }
  }

  /** Returns whether a term may begin with these two characters. A term may omit a sign, as in "e-mail". */
  #mayBegin(first: number, second: number): boolean {
    if (!(second < 128) || KINDS[second] === SIGN) return true;
    return this.#isPair[((first & LETTER) << LETTER_BITS) | (second & LETTER)] === 1;
  }

  /**
   * Visits the pieces between spaces in which a term may begin: at the start of the piece, after a sign, or at a
   * capital.
   */
  forEach(text: string, visit: (from: number, to: number) => void): void {
    const isFirst = this.#isFirst;
    let from = 0;
    let mayMatch = false;
    let before: number = SIGN;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const kind = code < 128 ? (KINDS[code] as number) : SIGN;
      if (kind === BLANK) {
        if (mayMatch) visit(from, at);
        from = at + 1;
        mayMatch = false;
      } else if (!mayMatch) {
        const begins = before === SIGN || before === BLANK || kind === SIGN || (kind === CAPITAL && before === SMALL);
        mayMatch = code >= 128 || (begins && isFirst[code] === 1 && this.#mayBegin(code, text.charCodeAt(at + 1)));
      }
      before = kind;
    }
    if (mayMatch) visit(from, text.length);
  }
}
