/** Bounds how many run at once. Those that wait are served in order. */
export class Slots {
  readonly #most: number;
  #free: number;
  readonly #waiting: { readonly count: number; readonly start: () => void }[] = [];

  constructor(most: number) {
    this.#most = most;
    this.#free = most;
  }

  /** With `alone`, nothing else runs beside it. */
  async run<T>(task: () => Promise<T>, { alone = false }: { readonly alone?: boolean } = {}): Promise<T> {
    const count = alone ? this.#most : 1;
    await this.#take(count);
    try {
      return await task();
    } finally {
      this.#free += count;
      this.#serve();
    }
  }

  async #take(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ count, start: resolve });
    this.#serve();
    await promise;
  }

  #serve(): void {
    for (let [first] = this.#waiting; first && first.count <= this.#free; [first] = this.#waiting) {
      this.#waiting.shift();
      this.#free -= first.count;
      first.start();
    }
  }
}
