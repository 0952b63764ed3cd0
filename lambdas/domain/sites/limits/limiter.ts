import type { Clock } from '../../clock.ts';
import type { Report } from '../../errors.ts';
import type { Count, Table } from '../../ports/table.ts';
import type { Limit } from './limit.ts';
import { admittedBy, minuteOf, nextAdmission, WINDOW_MS } from './sliding-window.ts';

/** How many calls one limit still allows. */
export type Standing = {
  readonly perMinute: number;
  readonly remaining: number;
  /** Epoch milliseconds: the end of the minute. */
  readonly resetsAt: number;
  /** Epoch milliseconds from which another call is admitted: the limit refuses this one. */
  readonly refusedUntil?: number;
  /** The counter could not be used, so that nobody knows whether the limit admits the call. */
  readonly isUnknown?: true;
};

/** DynamoDB writes an item at most 1,000 times a second. Half of it is left for bursts. */
const WRITES_PER_MINUTE = 30_000;
/** About 20 MB. Beyond it everything is forgotten, which costs only reads. */
const MAX_KNOWN = 100_000;
/** A counter is read until the end of the minute after its own. */
const KEPT_SECONDS = 180;

/** What this process knows of a counter in a minute. `count` only grows. */
type Known = {
  readonly minute: number;
  previous: number | undefined;
  reading: Promise<number> | undefined;
  count: number;
  /** Calls that are part of the count and were not made yet. */
  reserved: number;
};

type Deps = {
  readonly table: Pick<Table, 'count'>;
  readonly clock: Clock;
  readonly report: Report;
  /** What a counter is called in the table in the minute that begins at `at`. */
  readonly nameOf: CounterName;
};

export type CounterName = (counter: string, at: number) => Promise<string>;

/**
 * Counts calls in sliding minutes: at most one write per call, none for a refused one once this process knows that the
 * limit is reached. The busiest counters are written once for several calls. A process that ends, or has spare calls at
 * the end of a minute, wastes those: the limit is never exceeded by that.
 */
export class Limiter {
  readonly #deps: Deps;
  #known = new Map<string, Known>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether the limit admits no call now, as far as this process knows. */
  isFull(limit: Limit): boolean {
    const now = this.#deps.clock();
    const known = this.#knownOf(limit, now);
    return known.reserved === 0 && known.count >= mostBy(now, limit, known);
  }

  /** Counts a call if the limit admits it. */
  async take(limit: Limit): Promise<Standing> {
    const now = this.#deps.clock();
    const known = this.#knownOf(limit, now);
    try {
      known.previous ??= await this.#readPrevious(limit, known);
      const isAdmitted = await this.#admit(limit, known, mostBy(now, limit, known));
      return standingOf(now, limit, known, isAdmitted);
    } catch (error) {
      this.#deps.report('a rate limit could not be checked', error);
      return { ...standingOf(now, limit, known, true), isUnknown: true };
    }
  }

  /** The standing of a call that is not counted. */
  standing(limit: Limit): Standing {
    const now = this.#deps.clock();
    return standingOf(now, limit, this.#knownOf(limit, now), !this.isFull(limit));
  }

  #knownOf({ counter }: Limit, now: number): Known {
    const minute = minuteOf(now);
    const known = this.#known.get(counter);
    if (known?.minute === minute) return known;
    const fresh: Known = { minute, previous: undefined, reading: undefined, count: 0, reserved: 0 };
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(counter, fresh);
    return fresh;
  }

  /** Concurrent calls share one read. */
  async #readPrevious(limit: Limit, known: Known): Promise<number> {
    known.reading ??= this.#count(limit, known.minute - 1, { by: 0 }).then((count) => count ?? 0);
    try {
      return await known.reading;
    } finally {
      known.reading = undefined;
    }
  }

  async #admit(limit: Limit, known: Known, most: number): Promise<boolean> {
    if (known.reserved > 0) {
      known.reserved -= 1;
      return true;
    }
    const block = Math.ceil(limit.perMinute / WRITES_PER_MINUTE);
    if (await this.#reserve(block, limit, known, most)) return true;
    return block > 1 && this.#reserve(1, limit, known, most);
  }

  /** Reserves calls, of which the first is made at once. */
  async #reserve(by: number, limit: Limit, known: Known, most: number): Promise<boolean> {
    if (known.count + by > most) return false;
    const count = await this.#count(limit, known.minute, { by, atMost: most });
    known.count = Math.max(known.count, count ?? most - by + 1);
    if (count !== undefined) known.reserved += by - 1;
    return count !== undefined;
  }

  async #count({ counter }: Limit, minute: number, count: Omit<Count, 'expiresAt'>): Promise<number | undefined> {
    const { table, nameOf } = this.#deps;
    const expiresAt = (minute * WINDOW_MS) / 1000 + KEPT_SECONDS;
    const name = await nameOf(counter, minute * WINDOW_MS);
    return table.count({ pk: `RATE#${name}`, sk: String(minute) }, { ...count, expiresAt });
  }
}

const mostBy = (now: number, { perMinute }: Limit, { previous = 0 }: Known): number =>
  admittedBy(now, { perMinute, previous });

function standingOf(now: number, limit: Limit, known: Known, isAdmitted: boolean): Standing {
  const { perMinute } = limit;
  const resetsAt = (known.minute + 1) * WINDOW_MS;
  if (isAdmitted) {
    const remaining = Math.max(0, mostBy(now, limit, known) - known.count + known.reserved);
    return { perMinute, remaining, resetsAt };
  }
  const refusedUntil = nextAdmission(now, known.count, { perMinute, previous: known.previous ?? 0 });
  return { perMinute, remaining: 0, resetsAt, refusedUntil };
}
