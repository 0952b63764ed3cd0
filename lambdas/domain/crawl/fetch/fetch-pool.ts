import type { RegisteredPage } from '../../pages/page-registry.ts';
import type { QueuedUrl } from '../jobs/url-rows.ts';
import { type Fetched, fetchPage, hasPage, readPage, type Visiting } from './visit.ts';
import type { Visit } from './visit-result.ts';

export const CONNECTIONS_PER_HOST = 5;

export type Pace = {
  /** @default CONNECTIONS_PER_HOST */
  readonly connections?: number;
  /** Milliseconds between the starts of two visits. If not 0, one visit runs at a time. */
  readonly spacingMs: number;
  /** Epoch milliseconds of the first start. */
  readonly notBefore: number;
};

export type FetchLimits = {
  /** Called before each start of a visit. */
  readonly mayStart: (pool: FetchPool) => boolean;
  /** Called with each finished visit, before the next one starts. */
  readonly note?: (visit: Visit) => void;
};

/** An overloaded server gets one connection, with at first two requests a second. */
const SLOWED_SPACING_MS = 500;
const MAX_SPACING_MS = 10_000;

/** Visits URLs concurrently, within the limits of politeness, and collects the results. */
export class FetchPool {
  readonly #visiting: Visiting;
  readonly #limits: FetchLimits;
  readonly #pace: Required<Pace>;
  readonly #waiting: QueuedUrl[] = [];
  readonly #stored = new Map<string, RegisteredPage>();
  readonly #active = new Map<string, QueuedUrl>();
  readonly #done: { readonly visit: Visit; readonly at: number }[] = [];
  #connectionsInUse = 0;
  #connections: number;
  #spacingMs: number;
  #nextStart: number;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #isPaused = true;
  #isPaceRestored = false;
  #arrival = Promise.withResolvers<void>();
  #failure: unknown;

  constructor(visiting: Visiting, limits: FetchLimits, { connections = CONNECTIONS_PER_HOST, ...pace }: Pace) {
    this.#visiting = visiting;
    this.#limits = limits;
    this.#pace = { ...pace, connections };
    this.#spacingMs = pace.spacingMs;
    this.#connections = pace.spacingMs > 0 ? 1 : connections;
    this.#nextStart = pace.notBefore;
  }

  /** Pauses until a moment and then halves the pace, once for all visits that started at the same pace. */
  slowDown(until: number, startedAt: number): void {
    this.#connections = 1;
    this.#nextStart = Math.max(this.#nextStart, until);
    if (startedAt <= this.#slowedAt) return;
    this.#slowedAt = this.#visiting.clock();
    const spacing = Math.min(MAX_SPACING_MS, this.#spacingMs * 2 || SLOWED_SPACING_MS);
    this.#spacingMs = Math.max(this.#spacingMs, spacing);
  }

  /** Restores the initial pace, once: a slower pace does not help if the server refuses some URLs permanently. */
  #restorePace(): void {
    if (this.#isPaceRestored) return;
    this.#isPaceRestored = true;
    const { spacingMs, connections } = this.#pace;
    this.#spacingMs = spacingMs;
    this.#connections = spacingMs > 0 ? 1 : connections;
    this.#nextStart = Math.min(this.#nextStart, this.#visiting.clock() + spacingMs);
  }

  /** Adds URLs. `stored` holds the site's pages for them, by URL hash. */
  add(urls: readonly QueuedUrl[], stored: ReadonlyMap<string, RegisteredPage> = new Map()): void {
    this.#waiting.push(...urls);
    for (const [hash, page] of stored) this.#stored.set(hash, page);
  }

  /** Starts visits now and whenever a connection is free, within the limits. Rethrows the error of an earlier visit. */
  start(): void {
    if (this.#failure !== undefined) throw this.#failure;
    this.#isPaused = false;
    this.#fill();
  }

  /** Stops starting visits until the next `start`. */
  pause(): void {
    this.#isPaused = true;
  }

  #fill(): void {
    const { clock } = this.#visiting;
    while (
      !this.#isPaused &&
      this.#connectionsInUse < this.#connections &&
      clock() >= this.#nextStart &&
      this.#limits.mayStart(this)
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
      const visit = await this.#visit(queued, release);
      this.#done.push({ visit, at: this.#visiting.clock() });
    } catch (error) {
      this.#failure ??= error;
    }
    this.#active.delete(queued.urlHash);
    this.#arrival.resolve();
    release();
    this.#fill();
  }

  /**
   * Visits a URL. It frees the connection while a page is read, unless a browser reads it, which is slower than
   * fetching.
   */
  async #visit(queued: QueuedUrl, release: () => void): Promise<Visit> {
    const startedAt = this.#visiting.clock();
    const stored = this.#stored.get(queued.urlHash);
    this.#stored.delete(queued.urlHash);
    const fetched = await fetchPage(queued, stored, this.#visiting);
    if (hasPage(fetched) && !this.#visiting.rendering) release();
    const visit = await readPage(fetched, this.#visiting);
    this.#limits.note?.(visit);
    if (visit.slowsDown) this.slowDown('next' in visit ? visit.next.notBefore : this.#visiting.clock(), startedAt);
    if (this.#visiting.refusals?.isPartial) this.#restorePace();
    if (isDropped(fetched)) this.#connections = Math.max(1, this.#connections - 1);
    return visit;
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
    return Math.max(0, this.#nextStart - this.#visiting.clock());
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  dropWaiting(): void {
    this.#waiting.length = 0;
    this.#stored.clear();
  }

  get first(): QueuedUrl | undefined {
    return this.#waiting[0];
  }

  get active(): number {
    return this.#active.size;
  }

  /** Finished visits in the order in which they ended, until they are dropped. */
  get done(): readonly Visit[] {
    return this.#done.map(({ visit }) => visit);
  }

  /** Returns when the finished visit with this index ended, in epoch milliseconds. */
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

/** Returns whether the server dropped the connection: it may allow fewer of them. */
const isDropped = ({ result }: Fetched): boolean => result?.kind === 'failure' && result.reason === 'connection';
