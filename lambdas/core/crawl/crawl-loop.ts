import type { Clock } from '../clock.ts';
import { UnavailableError } from '../errors.ts';
import type { RegisteredPage } from '../pages/page-registry.ts';
import type { Table } from '../ports/table.ts';
import { type Committer, PAGES_PER_COMMIT } from './commit/commit.ts';
import { FetchPool } from './fetch/fetch-pool.ts';
import { FetchScheduler } from './fetch/fetch-scheduler.ts';
import type { Visit } from './fetch/visit-result.ts';
import type { Frontier } from './frontier/frontier.ts';
import type { QueuedUrl } from './frontier/frontier-rows.ts';
import type { CrawlJob } from './job/job.ts';
import { JobLimits } from './job/job-limits.ts';
import { LEASE_RENEWAL_MS, renewLease } from './job/slice.ts';

export type LoopDeps = {
  readonly table: Table;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  /** Asks the slice to hand over soon. */
  readonly halt: AbortSignal;
  readonly frontier: Frontier;
  readonly committer: Committer;
  readonly visit: (queued: QueuedUrl, held: RegisteredPage | undefined, beforeReading?: () => void) => Promise<Visit>;
  readonly spacingMs: number;
  readonly lanes: number;
};

/** Visited and not written yet. */
const MOST_UNWRITTEN = 2 * PAGES_PER_COMMIT + 10;
/** While nothing is being written, so many are not kept waiting for more. */
const ENOUGH_TO_WRITE = PAGES_PER_COMMIT / 2;
/** A finished page waits no longer than this for others to be written with it. */
const LONGEST_WAIT_MS = 1000;
const BACK_OFF_MS = 2000;

/** Why the work stopped: nothing is left, a limit, time, or a server that wants no more requests. */
export type Stop = 'done' | 'limit' | 'time' | 'refused';

/** So many that ask in a row to stay away for longer than a crawl waits are enough. */
const MOST_REFUSALS = 10;

/** Fetches and commits until the frontier is empty, a limit is reached or time is up. */
export class CrawlLoop {
  readonly #job: CrawlJob;
  readonly #deps: LoopDeps;
  readonly #lanes: FetchPool;
  readonly #limits: JobLimits;
  readonly #intake: FetchScheduler;
  #signOfLife: number;
  #moved = false;
  #committing: Promise<void> | undefined;
  #commits = 0;
  /** So many of the finished visits are being written, or were when it failed. */
  #writing: number | undefined;
  /** Resolves when pages that are being written hold deeper ones back no longer; each step, which looks for these, waits for it anew. */
  #spent = Promise.withResolvers<void>();
  #failure: unknown;
  #refusals = 0;

  constructor(job: CrawlJob, deps: LoopDeps) {
    this.#job = job;
    this.#deps = deps;
    this.#signOfLife = deps.clock();
    const { lanes, spacingMs, clock } = deps;
    const notBefore = Math.max(job.pausedUntil ?? 0, clock() + spacingMs);
    this.#lanes = new FetchPool({ lanes, spacingMs, notBefore, now: clock }, (queued, leaveLane) =>
      this.#visit(queued, leaveLane),
    );
    this.#limits = new JobLimits(job, deps);
    this.#intake = new FetchScheduler(job, this.#lanes, {
      ...deps,
      limits: this.#limits,
      announce: (inFlight) => this.#showLife(inFlight),
    });
  }

  async #visit(queued: QueuedUrl, leaveLane: () => void): Promise<Visit> {
    const askedAt = this.#deps.clock();
    const visit = await this.#deps.visit(queued, this.#intake.takePage(queued), leaveLane);
    if (visit.load) this.#lanes.slowDown('next' in visit ? visit.next.notBefore : this.#deps.clock(), askedAt);
    if (visit.load === 'closed') this.#refusals++;
    else if (visit.answered) this.#refusals = 0;
    return visit;
  }

  /** After `time`, what is under way is still queued and comes again. Time is up at once when the site has moved: the rest has other rules. */
  async run(deadline: number): Promise<Stop> {
    try {
      return await this.#work(deadline);
    } finally {
      this.#lanes.rest();
      await this.#committing;
    }
  }

  async #work(deadline: number): Promise<Stop> {
    while (this.#deps.clock() < deadline && !this.#deps.halt.aborted && !this.#moved) {
      try {
        const end = await this.#step();
        if (end) return end;
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        await this.#deps.sleep(BACK_OFF_MS); // what is finished stays in the lanes and is committed later
      }
    }
    await this.#commitAtLast();
    return 'time';
  }

  /** Goes on after pages were queued once more. */
  async resume(deadline: number): Promise<Stop> {
    await this.#limits.recount();
    return this.run(deadline);
  }

  /** What cannot be written while a service is away is still queued. After a write without an answer another one would come too soon. */
  async #commitAtLast(): Promise<void> {
    this.#lanes.rest();
    try {
      await this.#committing;
      this.#throwFailure();
      if (this.#lanes.done.length > 0) await this.#commit();
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
    }
  }

  async #step(): Promise<Stop | undefined> {
    const commits = this.#commits;
    this.#spent = Promise.withResolvers();
    await this.#intake.refill(this.#deps.lanes);
    this.#lanes.start((active) => this.#mayStart(active));
    const isIdle = this.#lanes.active === 0 && this.#lanes.done.length === 0;
    if (isIdle && commits === this.#commits) {
      const end = await this.#end();
      if (end) return end;
    }
    await this.#wait();
    this.#throwFailure(); // before a commit is tried again
    if (!this.#committing && this.#commitIsDue()) this.#beginCommit();
    if (this.#deps.clock() - this.#signOfLife > LEASE_RENEWAL_MS) await this.#showLife();
    return undefined;
  }

  /** Pages wait for the committer in bounded number. */
  #mayStart(active: number): boolean {
    const isRoom = active + this.#lanes.done.length < MOST_UNWRITTEN;
    return isRoom && this.#refusals < MOST_REFUSALS && !this.#limitReached(active);
  }

  /** Writes beside the lanes, which go on meanwhile. What goes wrong is told by a step. */
  #beginCommit(): void {
    this.#committing = this.#commit()
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#commits++;
        this.#committing = undefined;
      });
  }

  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  /** Whether there is an end when nothing is under way. */
  async #end(): Promise<Stop | undefined> {
    if (this.#refusals >= MOST_REFUSALS) return 'refused';
    const isMore = this.#lanes.waiting > 0 || !this.#intake.isExhausted;
    if (this.#limitReached(0)) {
      await this.#limits.recount();
      if (this.#limitReached(0)) return isMore ? 'limit' : 'done';
    }
    if (isMore) return undefined;
    return this.#deps.frontier.isFull ? 'limit' : 'done';
  }

  #limitReached(active: number): boolean {
    return this.#limits.reached(this.#lanes.first, active, this.#lanes.done);
  }

  async #showLife(inFlight: readonly string[] = this.#lanes.held): Promise<void> {
    await renewLease(this.#job, { inFlight }, this.#deps);
    this.#signOfLife = this.#deps.clock();
  }

  async #wait(): Promise<void> {
    if (this.#committing) {
      const arrival = this.#lanes.active > 0 ? [this.#lanes.arrival()] : [];
      await Promise.race([this.#committing, this.#spent.promise, ...arrival, this.#deps.sleep(LONGEST_WAIT_MS)]);
      return;
    }
    if (this.#lanes.done.length >= ENOUGH_TO_WRITE) return;
    if (this.#lanes.active === 0) {
      if (this.#lanes.done.length > 0) return;
      const untilNextTry = (this.#intake.nextTryAt ?? 0) - this.#deps.clock();
      const pause = this.#lanes.waiting > 0 ? this.#lanes.pauseMs : untilNextTry;
      await this.#deps.sleep(Math.min(Math.max(pause, 1), LONGEST_WAIT_MS));
      return;
    }
    await Promise.race([this.#lanes.arrival(), this.#deps.sleep(LONGEST_WAIT_MS)]);
  }

  /** There are enough pages, nothing else goes on, or a page has waited long. */
  #commitIsDue(): boolean {
    const { done, active, oldestDone } = this.#lanes;
    if (oldestDone === undefined) return false;
    return done.length >= ENOUGH_TO_WRITE || active === 0 || this.#deps.clock() - oldestDone >= LONGEST_WAIT_MS;
  }

  /** After a failure the same ones again: of what was half written, others may be the duplicates. */
  async #commit(): Promise<void> {
    this.#writing ??= Math.min(this.#lanes.done.length, PAGES_PER_COMMIT);
    const visits = this.#lanes.done.slice(0, this.#writing);
    await this.#deps.committer.commit(visits, () => {
      this.#spent.resolve();
      return this.#deps.sleep(0); // the next URLs are asked for before this thread is busy with the pages
    });
    this.#lanes.dropDone(visits.length);
    this.#writing = undefined;
    this.#moved ||= visits.some(({ movedTo }) => movedTo !== undefined);
    this.#limits.written(visits);
    this.#signOfLife = this.#deps.clock();
  }
}
