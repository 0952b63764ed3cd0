import type { Count, Key } from '../../../core/ports/table.ts';
import { checkCount } from '../../port-rules/table-limits.ts';

/** About 20 MB. Beyond it the oldest counter is forgotten. */
const MAX_COUNTERS = 100_000;

type Counter = { count: number; readonly expiresAt: number };

/** The counters of `Table`, in the memory of the thread that opened the file. `now` is in epoch seconds. */
export class Counters {
  readonly #counters = new Map<string, Counter>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(key: Key, count: Count): number | undefined {
    checkCount(key, count);
    const { by, atMost = Infinity, expiresAt } = count;
    const name = JSON.stringify([key.pk, key.sk]);
    const counter = this.#counters.get(name) ?? { count: 0, expiresAt };
    if (by === 0) return counter.count;
    if (counter.count + by > atMost) return undefined;
    counter.count += by;
    this.#counters.set(name, counter);
    const [oldest = name] = this.#counters.keys();
    if (this.#counters.size > MAX_COUNTERS) this.#counters.delete(oldest);
    return counter.count;
  }

  /** Forgets expired counters. */
  sweep(): void {
    const now = this.#now();
    for (const [name, { expiresAt }] of this.#counters) if (expiresAt <= now) this.#counters.delete(name);
  }
}
