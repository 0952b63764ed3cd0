import type { QueuedUrl } from '../frontier/frontier-rows.ts';
import type { Visit } from './visit-result.ts';

export type PoolRules = {
  readonly lanes: number;
  /** Milliseconds between the starts of two visits; with any, one goes at a time. */
  readonly spacingMs: number;
  /** Epoch milliseconds of the first start. */
  readonly notBefore: number;
  readonly now: () => number;
};

/** A server that has too much to do is asked by one lane from then on, at first twice a second. */
const SLOWED_SPACING_MS = 500;
const LONGEST_SPACING_MS = 10_000;

/** Visits a URL; tells when nothing more is asked of the server, though the visit goes on. */
export type PooledVisit = (queued: QueuedUrl, leaveLane: () => void) => Promise<Visit>;

/** Visits URLs side by side, as many at once and as far apart as politeness allows, and collects what came of them. */
export class FetchPool {
  readonly #rules: PoolRules;
  readonly #visit: PooledVisit;
  readonly #waiting: QueuedUrl[] = [];
  readonly #active = new Map<string, QueuedUrl>();
  /** Those of the active ones that still ask the server. */
  #inLanes = 0;
  readonly #done: { readonly visit: Visit; readonly at: number }[] = [];
  #lanes: number;
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
    this.#lanes = rules.spacingMs > 0 ? 1 : rules.lanes;
    this.#nextStart = rules.notBefore;
  }

  /** Pauses until a moment, and goes on at half the pace; not at a quarter when two are refused that were asked for at the same pace. */
  slowDown(until: number, askedAt: number): void {
    this.#lanes = 1;
    this.#nextStart = Math.max(this.#nextStart, until);
    if (askedAt <= this.#slowedAt) return;
    this.#slowedAt = this.#rules.now();
    const spacing = Math.min(LONGEST_SPACING_MS, this.#spacingMs * 2 || SLOWED_SPACING_MS);
    this.#spacingMs = Math.max(this.#spacingMs, spacing);
  }

  add(urls: readonly QueuedUrl[]): void {
    this.#waiting.push(...urls);
  }

  /**
   * Starts what may start now, and more whenever a lane is free, while `mayStart` says so; it is asked before each with the number under
   * way. Throws what a visit threw: a fault of this program, never of a website.
   */
  start(mayStart: (active: number) => boolean): void {
    if (this.#failure !== undefined) throw this.#failure;
    this.#mayStart = mayStart;
    this.#fill();
  }

  /** Nothing more starts until it is asked for. */
  rest(): void {
    this.#mayStart = () => false;
  }

  #fill(): void {
    const { now } = this.#rules;
    while (this.#inLanes < this.#lanes && now() >= this.#nextStart && this.#mayStart(this.#active.size)) {
      const queued = this.#waiting.shift();
      if (!queued) return;
      this.#active.set(queued.urlHash, queued);
      if (this.#spacingMs > 0) this.#nextStart = now() + this.#spacingMs;
      void this.#run(queued);
    }
  }

  async #run(queued: QueuedUrl): Promise<void> {
    const leave = this.#enterLane();
    try {
      this.#done.push({ visit: await this.#visit(queued, leave), at: this.#rules.now() });
    } catch (error) {
      this.#failure ??= error;
    }
    this.#active.delete(queued.urlHash);
    this.#arrival.resolve();
    leave();
    this.#fill();
  }

  /** Answers what gives the lane to the next one, once. */
  #enterLane(): () => void {
    let isInLane = true;
    this.#inLanes++;
    return () => {
      if (!isInLane) return;
      isInLane = false;
      this.#inLanes--;
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
    return Math.max(0, this.#nextStart - this.#rules.now());
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Lets go of those that have not started. */
  giveBack(): void {
    this.#waiting.length = 0;
  }

  /** The next one to start. */
  get first(): QueuedUrl | undefined {
    return this.#waiting[0];
  }

  get active(): number {
    return this.#active.size;
  }

  /** The finished visits in the order of their ends, to be dropped once they are written. */
  get done(): readonly Visit[] {
    return this.#done.map(({ visit }) => visit);
  }

  /** When the oldest finished visit ended. */
  get oldestDone(): number | undefined {
    return this.#done[0]?.at;
  }

  dropDone(count: number): void {
    this.#done.splice(0, count);
  }

  /** The hashes of all URLs taken and not dropped. */
  get held(): readonly string[] {
    const done = this.#done.map(({ visit }) => visit.queued.urlHash);
    return [...this.#waiting.map(({ urlHash }) => urlHash), ...this.#active.keys(), ...done];
  }
}
