/**
 * Searches of the index wait here for their turn. Each turn of the event loop does one, so that requests that arrive
 * meanwhile are read, and a site with many searches has no more turns than another.
 */
export class FairQueue {
  /** By site, or sites that are searched together; that of the next turn first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isScheduled = false;

  /** Resolves when the sites may be searched. */
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
