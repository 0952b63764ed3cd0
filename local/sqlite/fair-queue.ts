/**
 * Lets searches of the index take turns. Each turn of the event loop runs one, so that new requests are read in
 * between, and a site with many searches gets no more turns than another.
 */
export class FairQueue {
  /** Waiting searches by site, or by sites that are searched together. The first entry has the next turn. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isScheduled = false;

  /** Resolves when a search of these sites may run. */
  turn(sites: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(sites);
    if (waiting) waiting.push(resolve);
    else this.#waiting.set(sites, [resolve]);
    this.#schedule();
    return promise;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#next();
      this.#schedule();
    });
  }

  #next(): void {
    const [next] = this.#waiting;
    if (!next) return;
    const [sites, [search, ...others]] = next;
    this.#waiting.delete(sites);
    if (others.length > 0) this.#waiting.set(sites, others);
    search?.();
  }
}
