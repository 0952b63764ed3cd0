import type { Table } from '../../adapters/ports.ts';
import type { Clock } from '../clock.ts';
import { UnavailableError } from '../errors.ts';
import { type Committer, PAGES_PER_COMMIT } from './commit.ts';
import { FetchLanes } from './fetch-lanes.ts';
import type { Frontier, QueuedUrl } from './frontier.ts';
import type { CrawlJob } from './job.ts';
import { renewLease } from './lease.ts';
import type { Visit } from './visit.ts';

export type LoopDeps = {
  readonly table: Table;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  /** Asks the slice to hand over soon. */
  readonly halt: AbortSignal;
  readonly frontier: Frontier;
  readonly committer: Committer;
  readonly visit: (queued: QueuedUrl) => Promise<Visit>;
  readonly spacingMs: number;
  readonly lanes: number;
};

/** Taken from the queue ahead of the lanes, and so at risk in a crash. */
const TAKEN_AHEAD = 30;
/** A finished page waits no longer than this for others to be written with it. */
const LONGEST_WAIT_MS = 1000;
/** A cancel is noticed within this time. */
const SIGN_OF_LIFE_MS = 1500;
const BACK_OFF_MS = 2000;
const MOST_FETCHES_PER_PAGE = 5;
const LONGEST_JOB_SECONDS = 6 * 3600;

/** Fetches and commits until the frontier is empty, a limit is reached or time is up. */
export class CrawlLoop {
  readonly #job: CrawlJob;
  readonly #deps: LoopDeps;
  readonly #lanes: FetchLanes;
  #answered: number;
  #fetches: number;
  #signOfLife: number;
  #exhausted = false;
  #moved = false;

  constructor(job: CrawlJob, deps: LoopDeps) {
    this.#job = job;
    this.#deps = deps;
    this.#answered = job.answered;
    this.#fetches = job.fetches;
    this.#signOfLife = deps.clock();
    const { spacingMs } = deps;
    this.#lanes = new FetchLanes({ lanes: spacingMs > 0 ? 1 : deps.lanes, spacingMs, now: deps.clock }, deps.visit);
  }

  /** After `time`, what is under way is still queued and comes again. Time is up at once when the site has moved: the rest has other rules. */
  async run(deadline: number): Promise<'done' | 'limit' | 'time'> {
    while (this.#deps.clock() < deadline && !this.#deps.halt.aborted && !this.#moved) {
      try {
        const end = await this.#step();
        if (end) return end;
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        await this.#deps.sleep(BACK_OFF_MS); // what is finished stays in the lanes and is committed later
      }
    }
    if (this.#lanes.done.length > 0) await this.#commitAtLast();
    return 'time';
  }

  /** So many pages were queued once more, and are to be answered again. */
  reopened(count: number): void {
    this.#answered -= count;
  }

  /** What cannot be written while a service is away is still queued. */
  async #commitAtLast(): Promise<void> {
    try {
      await this.#commit();
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
    }
  }

  async #step(): Promise<'done' | 'limit' | undefined> {
    await this.#refill();
    this.#lanes.start((active) => !this.#limitReached(active));
    if (this.#lanes.active === 0 && this.#lanes.done.length === 0) {
      if (this.#limitReached(0)) return this.#lanes.waiting > 0 || !this.#exhausted ? 'limit' : 'done';
      if (this.#lanes.waiting === 0) return this.#deps.frontier.isFull ? 'limit' : 'done';
    }
    await this.#wait();
    if (this.#commitIsDue()) await this.#commit();
    if (this.#deps.clock() - this.#signOfLife > SIGN_OF_LIFE_MS) await this.#showLife();
    return undefined;
  }

  #limitReached(active: number): boolean {
    const { config, startedAt = 0 } = this.#job;
    const unwritten = this.#lanes.done;
    const answered = this.#answered + unwritten.filter((visit) => visit.answered).length;
    const fetches = this.#fetches + unwritten.filter(({ fetched }) => fetched).length;
    return (
      answered + active >= config.maxPages ||
      fetches + active >= config.maxPages * MOST_FETCHES_PER_PAGE ||
      this.#deps.clock() / 1000 - startedAt > LONGEST_JOB_SECONDS
    );
  }

  /** Takes more from the queue, and says so in the job first: what is in flight at a crash must be known. */
  async #refill(): Promise<void> {
    if (this.#lanes.waiting > this.#deps.lanes) return;
    const held = new Set(this.#lanes.held);
    const shallowest = await this.#deps.frontier.shallowest(held.size + TAKEN_AHEAD);
    const taken = shallowest.filter(({ urlHash }) => !held.has(urlHash));
    this.#exhausted = shallowest.length === 0;
    if (taken.length === 0) return;
    await this.#showLife([...held, ...taken.map(({ urlHash }) => urlHash)]);
    this.#lanes.add(taken);
  }

  async #showLife(inFlight: readonly string[] = this.#lanes.held): Promise<void> {
    await renewLease(this.#job, { inFlight }, this.#deps);
    this.#signOfLife = this.#deps.clock();
  }

  async #wait(): Promise<void> {
    if (this.#lanes.done.length >= PAGES_PER_COMMIT) return;
    if (this.#lanes.active === 0) {
      if (this.#lanes.waiting > 0) await this.#deps.sleep(Math.min(this.#lanes.pauseMs, LONGEST_WAIT_MS));
      return;
    }
    await Promise.race([this.#lanes.arrival(), this.#deps.sleep(LONGEST_WAIT_MS)]);
  }

  /** There are enough pages, nothing else goes on, or a page has waited long. */
  #commitIsDue(): boolean {
    const { done, active, oldestDone } = this.#lanes;
    if (oldestDone === undefined) return false;
    return done.length >= PAGES_PER_COMMIT || active === 0 || this.#deps.clock() - oldestDone >= LONGEST_WAIT_MS;
  }

  async #commit(): Promise<void> {
    const visits = this.#lanes.done.slice(0, PAGES_PER_COMMIT);
    const committed = new Set(visits.map(({ queued }) => queued.urlHash));
    await this.#deps.committer.commit(
      visits,
      this.#lanes.held.filter((hash) => !committed.has(hash)),
    );
    this.#lanes.dropDone(visits.length);
    this.#moved ||= visits.some(({ movedTo }) => movedTo !== undefined);
    this.#answered += visits.filter((visit) => visit.answered).length;
    this.#fetches += visits.filter(({ fetched }) => fetched).length;
    this.#signOfLife = this.#deps.clock();
  }
}
