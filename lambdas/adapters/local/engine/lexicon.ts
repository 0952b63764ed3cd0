/** An estimate for a term of nine letters: the string and its entries in map and list. */
const BYTES_PER_TERM = 80;

/** The terms of a partition. Ids start at 0 and follow the order of adding; terms are never removed. */
export class Lexicon {
  readonly #ids = new Map<string, number>();
  readonly #terms: string[] = [];

  get size(): number {
    return this.#terms.length;
  }

  get bytes(): number {
    return this.size * BYTES_PER_TERM;
  }

  idOf(term: string): number | undefined {
    return this.#ids.get(term);
  }

  termOf(id: number): string {
    return this.#terms[id] ?? '';
  }

  add(term: string): number {
    return this.#ids.get(term) ?? this.appendNew(term);
  }

  appendNew(term: string): number {
    const id = this.#terms.length;
    this.#ids.set(term, id);
    this.#terms.push(term);
    return id;
  }

  since(id: number): readonly string[] {
    return this.#terms.slice(id);
  }
}
