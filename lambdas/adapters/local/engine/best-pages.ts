/** For each page of a space the best of its chunks by some measure, of those that have one. */
export class BestPages {
  readonly #best: Float32Array;
  readonly #chunks: Uint32Array;

  constructor(pages: number) {
    this.#best = new Float32Array(pages).fill(NONE);
    this.#chunks = new Uint32Array(pages);
  }

  /** Of equal ones the first counts. */
  offer(page: number, chunk: number, worth: number): void {
    if (worth <= (this.#best[page] as number)) return;
    this.#best[page] = worth;
    this.#chunks[page] = chunk;
  }

  /** The best chunks of the best pages, in no order, and whether there are more pages; `admitted` has a 1 for each page that counts. */
  top(
    size: number,
    admitted: Uint8Array | undefined,
  ): { readonly chunks: readonly number[]; readonly hasMore: boolean } {
    const heap = new Heap(size);
    let count = 0;
    for (let page = 0; page < this.#best.length; page++) {
      const worth = this.#best[page] as number;
      if (worth === NONE || admitted?.[page] === 0) continue;
      count++;
      heap.offer(page, worth);
    }
    return { chunks: heap.items().map((page) => this.#chunks[page] as number), hasMore: count > size };
  }
}

const NONE = Number.NEGATIVE_INFINITY;

/** Keeps the greatest of what is offered; the least of them is on top. */
class Heap {
  readonly #size: number;
  readonly #items: number[] = [];
  readonly #worths: number[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  offer(item: number, worth: number): void {
    if (this.#items.length < this.#size) this.#rise(item, worth);
    else if (worth > (this.#worths[0] ?? Number.POSITIVE_INFINITY)) this.#sink(item, worth);
  }

  items(): readonly number[] {
    return this.#items;
  }

  #rise(item: number, worth: number): void {
    let at = this.#items.length;
    for (let above = (at - 1) >> 1; at > 0 && worth < (this.#worths[above] as number); above = (at - 1) >> 1) {
      this.#place(at, this.#items[above] as number, this.#worths[above] as number);
      at = above;
    }
    this.#place(at, item, worth);
  }

  #sink(item: number, worth: number): void {
    const end = this.#items.length;
    let at = 0;
    for (let below = 1; below < end; below = 2 * at + 1) {
      const right = below + 1;
      const least = right < end && (this.#worths[right] as number) < (this.#worths[below] as number) ? right : below;
      if (worth <= (this.#worths[least] as number)) break;
      this.#place(at, this.#items[least] as number, this.#worths[least] as number);
      at = least;
    }
    this.#place(at, item, worth);
  }

  #place(at: number, item: number, worth: number): void {
    this.#items[at] = item;
    this.#worths[at] = worth;
  }
}
