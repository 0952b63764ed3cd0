/** What an ASCII character is to a word. */
const [SIGN, SMALL, CAPITAL, DIGIT, BLANK] = [0, 1, 2, 3, 4] as const;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return SMALL;
  if (/[A-Z]/.test(character)) return CAPITAL;
  if (/[0-9]/.test(character)) return DIGIT;
  return /\s/.test(character) ? BLANK : SIGN;
});
const TO_CAPITAL = -32;
/** Of the code of a letter, the same for small and capital ones; other characters share theirs with letters. */
const LETTER_BITS = 5;
const LETTER = 2 ** LETTER_BITS - 1;

/** With which characters some terms begin: most pieces of a text are told at a glance to hold none of the terms. */
export class PrefixFilter {
  /** By ASCII character; capitals as small letters. */
  readonly #isFirst = new Uint8Array(128);
  /** By first and second letter. */
  readonly #isPair = new Uint8Array(2 ** (2 * LETTER_BITS));

  /** Words begin with so many letters of their stems (`lettersKept`). */
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

  /** Whether a term may go on like this; a sign may be left out of it, as in "e-mail". */
  #goesOn(first: number, second: number): boolean {
    if (!(second < 128) || KINDS[second] === SIGN) return true;
    return this.#isPair[((first & LETTER) << LETTER_BITS) | (second & LETTER)] === 1;
  }

  /**
   * Calls back for each piece between ASCII blanks in which a word, or a part of one, may begin as a term does, there where stems
   * begin as their words do. A part begins behind a sign, or with a capital behind a small letter; what is not ASCII may be folded
   * to anything.
   */
  eachIn(text: string, found: (from: number, to: number) => void): void {
    const isFirst = this.#isFirst;
    let from = 0;
    let isLike = false;
    let before: number = SIGN;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const kind = code < 128 ? (KINDS[code] as number) : SIGN;
      if (kind === BLANK) {
        if (isLike) found(from, at);
        from = at + 1;
        isLike = false;
      } else if (!isLike) {
        const begins = before === SIGN || before === BLANK || kind === SIGN || (kind === CAPITAL && before === SMALL);
        isLike = code >= 128 || (begins && isFirst[code] === 1 && this.#goesOn(code, text.charCodeAt(at + 1)));
      }
      before = kind;
    }
    if (isLike) found(from, text.length);
  }
}
