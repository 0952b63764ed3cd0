const listenersByName = new Map<string, Set<Listener>>();

export function notify(name: string): void {
  for (const listener of listenersByName.get(name) ?? []) listener.wake();
}

/** Waits for a notification or a timeout. A notification that arrives between two waits ends the next one at once. */
export class Listener {
  readonly #others: Set<Listener>;
  #isNotified = false;
  #wake: (() => void) | undefined;

  constructor(name: string) {
    this.#others = listenersByName.get(name) ?? new Set();
    listenersByName.set(name, this.#others.add(this));
  }

  async wait(ms: number): Promise<void> {
    if (!this.#isNotified) await this.#wakeWithin(ms);
    this.#isNotified = false;
  }

  wake(): void {
    this.#isNotified = true;
    this.#wake?.();
  }

  close(): void {
    this.#others.delete(this);
  }

  #wakeWithin(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#wake = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }
}
