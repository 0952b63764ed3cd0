import { fnv1aOfText } from '../../../core/fnv1a.ts';

/** An estimate for a term of nine letters: the string and its entries in map and list. */
const BYTES_PER_TERM = 80;
/** A power of two, as the number of bits always is. */
const FEWEST_BITS = 1024;
const BITS_PER_TERM = 8;

/** The terms of a partition. Ids start at 0 and follow the order of adding; terms are never removed. */
export class Lexicon {
  readonly #ids = new Map<string, number>();
  readonly #terms: string[] = [];
  /** A bit for each term, by its hash. Most terms of a query are in few sites of a group, and looking up is slow. */
  #bits = new Uint32Array(FEWEST_BITS / 32);

  get size(): number {
    return this.#terms.length;
  }

  get bytes(): number {
    return this.size * BYTES_PER_TERM;
  }

  idOf(term: string): number | undefined {
    return this.#mayHave(term) ? this.#ids.get(term) : undefined;
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
    if (BITS_PER_TERM * this.size > 32 * this.#bits.length) this.#growBits();
    else this.#setBit(term);
    return id;
  }

  since(id: number): readonly string[] {
    return this.#terms.slice(id);
  }

  #mayHave(term: string): boolean {
    const bit = fnv1aOfText(term) & (32 * this.#bits.length - 1);
    return ((this.#bits[bit >>> 5] as number) & (1 << (bit & 31))) !== 0;
  }

  #setBit(term: string): void {
    const bit = fnv1aOfText(term) & (32 * this.#bits.length - 1);
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] as number) | (1 << (bit & 31));
  }

  #growBits(): void {
    this.#bits = new Uint32Array(2 * this.#bits.length);
    for (const term of this.#terms) this.#setBit(term);
  }
}
