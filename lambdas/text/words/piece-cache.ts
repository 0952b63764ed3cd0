const LONGEST = 32;
/** Capacity: the characters of all pieces, plus `OVERHEAD` for each piece. */
const MOST = 2 ** 21;
const OVERHEAD = 8;

/**
 * Caches values computed from short pieces of text, such as words. Clears itself after about 130,000 pieces. A value
 * must depend only on the piece and its language.
 */
export class PieceCache<T> {
  readonly #compute: (piece: string, language: string) => T;
  readonly #byLanguage = new Map<string, Map<string, T>>();
  #size = 0;

  constructor(compute: (piece: string, language: string) => T) {
    this.#compute = compute;
  }

  /** Returns the values of these pieces, computing missing ones. */
  of(pieces: readonly string[], language = ''): readonly T[] {
    const known = this.#knownOf(language);
    return pieces.map((piece) => known.get(piece) ?? this.#add(piece, language, known));
  }

  #knownOf(language: string): Map<string, T> {
    const known = this.#byLanguage.get(language) ?? new Map<string, T>();
    this.#byLanguage.set(language, known);
    return known;
  }

  #add(piece: string, language: string, known: Map<string, T>): T {
    if (piece.length > LONGEST) return this.#compute(piece, language);
    if (this.#size > MOST) {
      this.#byLanguage.clear();
      this.#size = 0;
    }
    const own = copyOf(piece);
    const value = this.#compute(own, language);
    known.set(own, value);
    this.#size += own.length + OVERHEAD;
    return value;
  }
}

/** Copies a slice: V8 keeps the whole text in memory as long as a slice of it lives. */
const copyOf = (slice: string): string => slice.split('').join('');
