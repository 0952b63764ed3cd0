/** Limits how many tasks run at once. Waiting tasks start in order. */
export class Slots {
  readonly #most: number;
  #free: number;
  readonly #waiting: { readonly count: number; readonly start: () => void }[] = [];

  constructor(most: number) {
    this.#most = most;
    this.#free = most;
  }

  /** Runs a task when it is its turn. With `alone`, no other task runs at the same time. */
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
