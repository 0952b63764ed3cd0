type Waiting = { readonly begun: (() => void)[]; readonly fresh: (() => void)[] };

/**
 * Requests to sites take turns: one goes on in each turn of the event loop, so that requests that arrive meanwhile are
 * read, and a site with many requests has no more turns than another. Of a site, those that have begun go first.
 */
export class SiteTurns {
  /** By site, or sites that are searched together; that of the next turn first. */
  readonly #waiting = new Map<string, Waiting>();
  #isScheduled = false;

  /** Resolves when a request may begin. */
  begin(place: string): Promise<void> {
    return this.#next(place, 'fresh');
  }

  /** Resolves when a request that has begun may go on. */
  goOn(place: string): Promise<void> {
    return this.#next(place, 'begun');
  }

  #next(place: string, list: keyof Waiting): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(place) ?? { begun: [], fresh: [] };
    waiting[list].push(resolve);
    this.#waiting.set(place, waiting);
    this.#schedule();
    return promise;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#takeTurn();
      this.#schedule();
    });
  }

  #takeTurn(): void {
    const [next] = this.#waiting;
    if (!next) return;
    const [place, waiting] = next;
    const { begun, fresh } = waiting;
    (begun.shift() ?? fresh.shift())?.();
    this.#waiting.delete(place);
    if (begun.length + fresh.length > 0) this.#waiting.set(place, waiting);
  }
}

/** The one of this thread. */
export const siteTurns = new SiteTurns();
