/** By page, 1 for those that count; undefined where all do. */
export type Admitted = Uint8Array | undefined;

/** The best pages of those whose chunks are offered, each by the best of its chunks: a heap with the least of them on top. */
export class TopPages {
  readonly #size: number;
  readonly #pages: number[] = [];
  readonly #chunks: number[] = [];
  readonly #worths: number[] = [];
  readonly #placeOf = new Map<number, number>();
  /** What is not worth more changes nothing: at first the floor. */
  least: number;

  constructor(size: number, floor: number) {
    this.#size = size;
    this.least = size > 0 ? floor : Number.POSITIVE_INFINITY;
  }

  /** In no order. */
  get chunks(): readonly number[] {
    return this.#chunks;
  }

  /** Of equal ones the first counts. */
  offer(page: number, chunk: number, worth: number): void {
    if (worth <= this.least) return;
    const known = this.#placeOf.get(page);
    if (known !== undefined) {
      if (worth > (this.#worths[known] as number)) this.#sink(known, page, chunk, worth);
    } else if (this.#pages.length < this.#size) {
      this.#rise(page, chunk, worth);
    } else {
      this.#placeOf.delete(this.#pages[0] as number);
      this.#sink(0, page, chunk, worth);
    }
    if (this.#pages.length === this.#size) this.least = this.#worths[0] as number;
  }

  #rise(page: number, chunk: number, worth: number): void {
    let at = this.#pages.length;
    for (let above = (at - 1) >> 1; at > 0 && worth < (this.#worths[above] as number); above = (at - 1) >> 1) {
      this.#move(above, at);
      at = above;
    }
    this.#place(at, page, chunk, worth);
  }

  #sink(from: number, page: number, chunk: number, worth: number): void {
    const end = this.#pages.length;
    let at = from;
    for (let below = 2 * at + 1; below < end; below = 2 * at + 1) {
      const right = below + 1;
      const least = right < end && (this.#worths[right] as number) < (this.#worths[below] as number) ? right : below;
      if (worth <= (this.#worths[least] as number)) break;
      this.#move(least, at);
      at = least;
    }
    this.#place(at, page, chunk, worth);
  }

  #move(from: number, to: number): void {
    this.#place(to, this.#pages[from] as number, this.#chunks[from] as number, this.#worths[from] as number);
  }

  #place(at: number, page: number, chunk: number, worth: number): void {
    this.#pages[at] = page;
    this.#chunks[at] = chunk;
    this.#worths[at] = worth;
    this.#placeOf.set(page, at);
  }
}
