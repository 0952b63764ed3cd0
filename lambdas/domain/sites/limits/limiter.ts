import type { Clock } from '../../clock.ts';
import type { Report } from '../../errors.ts';
import type { Count, Table } from '../../ports/table.ts';
import type { Limit } from './limit.ts';
import { admittedBy, minuteOf, nextAdmission, WINDOW_MS } from './sliding-window.ts';

/** The number of calls that a limit still allows. */
export type RateLimitStatus = {
  readonly perMinute: number;
  readonly remaining: number;
  /** Epoch milliseconds at the end of the minute. */
  readonly resetsAt: number;
  /** Epoch milliseconds from which another call is admitted, if the limit refuses this one. */
  readonly refusedUntil?: number;
  /** Set if the counter was unavailable, so that it is unknown whether the limit admits the call. */
  readonly isUnknown?: true;
};

/** Half of DynamoDB's 1,000 writes per second to one item. The other half is left for bursts. */
const WRITES_PER_MINUTE = 30_000;
/** About 20 MB. Beyond it the cache is cleared, which only costs reads. */
const MAX_KNOWN = 100_000;
/** Longer than a counter is read, which is until the end of the minute after its own. */
const KEPT_SECONDS = 180;

/** The cached state of a counter in one minute. `count` only grows. */
type Known = {
  readonly minute: number;
  previous: number | undefined;
  reading: Promise<number> | undefined;
  count: number;
  /** Calls that are included in the count but have not been made yet. */
  reserved: number;
};

type Deps = {
  readonly table: Pick<Table, 'count'>;
  readonly clock: Clock;
  readonly report: Report;
  /** Returns the counter's name in the table for the minute that begins at `at`. */
  readonly nameOf: CounterName;
};

export type CounterName = (counter: string, at: number) => Promise<string>;

/**
 * Counts calls in sliding minutes with at most one write per call, and none for a refused call once this process knows
 * that the limit is reached. For the busiest counters, one write reserves several calls. Reserved calls that a process
 * does not use are lost, so the limit may be reached early but is never exceeded.
 */
export class Limiter {
  readonly #deps: Deps;
  #known = new Map<string, Known>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Returns whether the limit admits no call now, according to this process. */
  isFull(limit: Limit): boolean {
    const now = this.#deps.clock();
    const known = this.#knownOf(limit, now);
    return known.reserved === 0 && known.count >= mostBy(now, limit, known);
  }

  /** Counts a call if the limit admits it. */
  async take(limit: Limit): Promise<RateLimitStatus> {
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

  /** Returns the status of the limit for a call that is not counted. */
  standing(limit: Limit): RateLimitStatus {
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

  /** Reads the previous minute's count. Concurrent calls share one read. */
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

  /** Reserves calls. The first of them is made at once. */
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

function standingOf(now: number, limit: Limit, known: Known, isAdmitted: boolean): RateLimitStatus {
  const { perMinute } = limit;
  const resetsAt = (known.minute + 1) * WINDOW_MS;
  if (isAdmitted) {
    const remaining = Math.max(0, mostBy(now, limit, known) - known.count + known.reserved);
    return { perMinute, remaining, resetsAt };
  }
  const refusedUntil = nextAdmission(now, known.count, { perMinute, previous: known.previous ?? 0 });
  return { perMinute, remaining: 0, resetsAt, refusedUntil };
}
