import type { Clock } from '../../clock.ts';
import type { QueuedUrl } from '../jobs/url-rows.ts';
import type { Visit } from './visit-result.ts';

export const CONNECTIONS_PER_HOST = 5;

export type PoolRules = {
  readonly connections: number;
  /** Milliseconds between the starts of two visits; with any, one runs at a time. */
  readonly spacingMs: number;
  /** Epoch milliseconds of the first start. */
  readonly notBefore: number;
  readonly clock: Clock;
};

/** An overloaded server is asked over one connection, at first twice a second. */
const SLOWED_SPACING_MS = 500;
const LONGEST_SPACING_MS = 10_000;

/** `release` frees the connection when the server has answered, while the page is still being read. */
export type PooledVisit = (queued: QueuedUrl, release: () => void) => Promise<Visit>;

/** Visits URLs concurrently, within the limits of politeness, and collects the results. */
export class FetchPool {
  readonly #rules: PoolRules;
  readonly #visit: PooledVisit;
  readonly #waiting: QueuedUrl[] = [];
  readonly #active = new Map<string, QueuedUrl>();
  #connectionsInUse = 0;
  readonly #done: { readonly visit: Visit; readonly at: number }[] = [];
  #connections: number;
  #spacingMs: number;
  #nextStart: number;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #mayStart: (active: number) => boolean = () => false;
  #arrival = Promise.withResolvers<void>();
  #failure: unknown;

  constructor(rules: PoolRules, visit: PooledVisit) {
    this.#rules = rules;
    this.#visit = visit;
    this.#spacingMs = rules.spacingMs;
    this.#connections = rules.spacingMs > 0 ? 1 : rules.connections;
    this.#nextStart = rules.notBefore;
  }

  /** Pauses until a moment and then halves the pace, once for all visits that started at the same pace. */
  slowDown(until: number, startedAt: number): void {
    this.#connections = 1;
    this.#nextStart = Math.max(this.#nextStart, until);
    if (startedAt <= this.#slowedAt) return;
    this.#slowedAt = this.#rules.clock();
    const spacing = Math.min(LONGEST_SPACING_MS, this.#spacingMs * 2 || SLOWED_SPACING_MS);
    this.#spacingMs = Math.max(this.#spacingMs, spacing);
  }

  /** Returns to the spacing of its rules, after slowing down did not help. */
  restorePace(): void {
    this.#spacingMs = this.#rules.spacingMs;
    this.#connections = this.#rules.spacingMs > 0 ? 1 : this.#rules.connections;
    this.#nextStart = Math.min(this.#nextStart, this.#rules.clock() + this.#spacingMs);
  }

  add(urls: readonly QueuedUrl[]): void {
    this.#waiting.push(...urls);
  }

  /** Starts visits now and whenever a connection is free, as long as `mayStart` agrees. Throws what a visit threw. */
  start(mayStart: (active: number) => boolean): void {
    if (this.#failure !== undefined) throw this.#failure;
    this.#mayStart = mayStart;
    this.#fill();
  }

  /** No visit starts until the next `start`. */
  pause(): void {
    this.#mayStart = () => false;
  }

  #fill(): void {
    const { clock } = this.#rules;
    while (
      this.#connectionsInUse < this.#connections &&
      clock() >= this.#nextStart &&
      this.#mayStart(this.#active.size)
    ) {
      const queued = this.#waiting.shift();
      if (!queued) return;
      this.#active.set(queued.urlHash, queued);
      if (this.#spacingMs > 0) this.#nextStart = clock() + this.#spacingMs;
      void this.#run(queued);
    }
  }

  async #run(queued: QueuedUrl): Promise<void> {
    const release = this.#takeConnection();
    try {
      this.#done.push({ visit: await this.#visit(queued, release), at: this.#rules.clock() });
    } catch (error) {
      this.#failure ??= error;
    }
    this.#active.delete(queued.urlHash);
    this.#arrival.resolve();
    release();
    this.#fill();
  }

  /** Returns the function that frees the connection; calling it again does nothing. */
  #takeConnection(): () => void {
    let isTaken = true;
    this.#connectionsInUse++;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#connectionsInUse--;
      this.#fill();
    };
  }

  /** Resolves when a visit has ended since the last call. */
  async arrival(): Promise<void> {
    const arrival = this.#arrival;
    await arrival.promise;
    if (this.#arrival === arrival) this.#arrival = Promise.withResolvers();
  }

  /** Milliseconds until spacing allows the next start. */
  get pauseMs(): number {
    return Math.max(0, this.#nextStart - this.#rules.clock());
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  dropWaiting(): void {
    this.#waiting.length = 0;
  }

  get first(): QueuedUrl | undefined {
    return this.#waiting[0];
  }

  get active(): number {
    return this.#active.size;
  }

  /** The finished visits in the order of their ends, until they are dropped. */
  get done(): readonly Visit[] {
    return this.#done.map(({ visit }) => visit);
  }

  /** When the finished visit with this index ended, in epoch milliseconds. */
  doneAt(index: number): number | undefined {
    return this.#done[index]?.at;
  }

  dropDone(count: number): void {
    this.#done.splice(0, count);
  }

  /** The hashes of all URLs that are waiting, active or done. */
  get inFlight(): readonly string[] {
    const done = this.#done.map(({ visit }) => visit.queued.urlHash);
    return [...this.#waiting.map(({ urlHash }) => urlHash), ...this.#active.keys(), ...done];
  }
}
