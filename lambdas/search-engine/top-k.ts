/** Collects the best pages, each by its best chunk: a heap with the lowest score at the root. */
export class TopPages {
  readonly size: number;
  readonly #pages: number[] = [];
  readonly #chunks: number[] = [];
  readonly #scores: number[] = [];
  readonly #indexByPage = new Map<number, number>();
  /** Only a greater score has an effect. */
  threshold: number;

  constructor(size: number, threshold: number) {
    this.size = size;
    this.threshold = size > 0 ? threshold : Number.POSITIVE_INFINITY;
  }

  get chunks(): readonly number[] {
    return this.#chunks;
  }

  /** At equal scores, the first one offered wins. */
  offer(page: number, chunk: number, score: number): void {
    if (score <= this.threshold) return;
    const known = this.#indexByPage.get(page);
    if (known !== undefined) {
      if (score > (this.#scores[known] as number)) this.#siftDown(known, page, chunk, score);
    } else if (this.#pages.length < this.size) {
      this.#siftUp(page, chunk, score);
    } else {
      this.#indexByPage.delete(this.#pages[0] as number);
      this.#siftDown(0, page, chunk, score);
    }
    if (this.#pages.length === this.size) this.threshold = this.#scores[0] as number;
  }

  #siftUp(page: number, chunk: number, score: number): void {
    let i = this.#pages.length;
    for (let parent = (i - 1) >> 1; i > 0 && score < (this.#scores[parent] as number); parent = (i - 1) >> 1) {
      this.#move(parent, i);
      i = parent;
    }
    this.#set(i, page, chunk, score);
  }

  #siftDown(from: number, page: number, chunk: number, score: number): void {
    const end = this.#pages.length;
    let i = from;
    for (let left = 2 * i + 1; left < end; left = 2 * i + 1) {
      const right = left + 1;
      const child = right < end && (this.#scores[right] as number) < (this.#scores[left] as number) ? right : left;
      if (score <= (this.#scores[child] as number)) break;
      this.#move(child, i);
      i = child;
    }
    this.#set(i, page, chunk, score);
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#pages[from] as number, this.#chunks[from] as number, this.#scores[from] as number);
  }

  #set(i: number, page: number, chunk: number, score: number): void {
    this.#pages[i] = page;
    this.#chunks[i] = chunk;
    this.#scores[i] = score;
    this.#indexByPage.set(page, i);
  }
}
