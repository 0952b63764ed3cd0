/** Those who wait, by what they wait for. */
const sleepers = new Map<string, Set<Sleeper>>();

/** Ends the sleep of all who wait for it. */
export function ring(name: string): void {
  for (const sleeper of sleepers.get(name) ?? []) sleeper.wake();
}

/** Sleeps until its name is rung or the time is up. A ring while it is awake ends its next sleep at once, so none is lost. */
export class Sleeper {
  readonly #companions: Set<Sleeper>;
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(name: string) {
    this.#companions = sleepers.get(name) ?? new Set();
    sleepers.set(name, this.#companions.add(this));
  }

  async sleep(ms: number): Promise<void> {
    if (!this.#rung) await this.#ringWithin(ms);
    this.#rung = false;
  }

  wake(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** It can be rung no more. */
  leave(): void {
    this.#companions.delete(this);
  }

  #ringWithin(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#wake = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }
}
