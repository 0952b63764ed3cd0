import type { Table } from '../../adapters/ports.ts';
import type { Clock } from '../clock.ts';
import { UnavailableError } from '../errors.ts';
import type { RegisteredPage } from '../sites/page-registry.ts';
import { type Committer, PAGES_PER_COMMIT } from './commit.ts';
import { FetchLanes } from './fetch-lanes.ts';
import type { Frontier } from './frontier.ts';
import { heldPages } from './held-pages.ts';
import { type CrawlJob, LONGEST_JOB_SECONDS, MOST_FETCHES_PER_PAGE, readJob } from './job.ts';
import { renewLease, SIGN_OF_LIFE_MS } from './lease.ts';
import type { QueuedUrl } from './url-rows.ts';
import type { Visit } from './visited.ts';

export type LoopDeps = {
  readonly table: Table;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  /** Asks the slice to hand over soon. */
  readonly halt: AbortSignal;
  readonly frontier: Frontier;
  readonly committer: Committer;
  readonly visit: (queued: QueuedUrl, held: RegisteredPage | undefined) => Promise<Visit>;
  readonly spacingMs: number;
  readonly lanes: number;
};

/** Taken from the queue ahead of the lanes, and so at risk in a crash. */
const TAKEN_AHEAD = 30;
/** Visited and not written yet. */
const MOST_UNWRITTEN = 2 * PAGES_PER_COMMIT + 10;
/** A finished page waits no longer than this for others to be written with it. */
const LONGEST_WAIT_MS = 1000;
const BACK_OFF_MS = 2000;

/** Why the work stopped: nothing is left, a limit, time, or a server that wants no more requests. */
export type Stop = 'done' | 'limit' | 'time' | 'refused';

/** So many that ask in a row to stay away for longer than a crawl waits are enough. */
const MOST_REFUSALS = 10;

/** The order of levels holds for URLs that were put off as well, so that depths are the least ones. */
const goesBefore = (a: QueuedUrl, b: QueuedUrl): boolean => !a.isLeaf && (b.isLeaf === true || a.depth < b.depth);
const MOST_WAITING = 200;

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
  #committing: Promise<void> | undefined;
  #commits = 0;
  #failure: unknown;
  /** When the first of those that wait for their next try may be asked for. */
  #nextTryAt: number | undefined;
  /** Of the URLs taken, the pages that the site holds. */
  readonly #held = new Map<string, RegisteredPage>();
  #refusals = 0;

  constructor(job: CrawlJob, deps: LoopDeps) {
    this.#job = job;
    this.#deps = deps;
    this.#answered = job.answered;
    this.#fetches = job.fetches;
    this.#signOfLife = deps.clock();
    const { lanes, spacingMs, clock } = deps;
    const notBefore = Math.max(job.pausedUntil ?? 0, clock() + spacingMs);
    this.#lanes = new FetchLanes({ lanes, spacingMs, notBefore, now: clock }, (queued) => this.#visit(queued));
  }

  async #visit(queued: QueuedUrl): Promise<Visit> {
    const held = this.#held.get(queued.urlHash);
    this.#held.delete(queued.urlHash);
    const visit = await this.#deps.visit(queued, held);
    if (visit.load) this.#lanes.slowDown('next' in visit ? visit.next.notBefore : this.#deps.clock());
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
    await this.#recount();
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
    await this.#refill();
    this.#lanes.start((active) => this.#mayStart(active));
    const isIdle = this.#lanes.active === 0 && this.#lanes.done.length === 0;
    if (isIdle && commits === this.#commits) {
      const end = await this.#end();
      if (end) return end;
    }
    await this.#wait();
    this.#throwFailure(); // before a commit is tried again
    if (!this.#committing && this.#commitIsDue()) this.#beginCommit();
    if (this.#deps.clock() - this.#signOfLife > SIGN_OF_LIFE_MS) await this.#showLife();
    return undefined;
  }

  /** Pages wait for the committer in bounded number. */
  #mayStart(active: number): boolean {
    const isRoom = active + this.#lanes.done.length < MOST_UNWRITTEN;
    return isRoom && this.#refusals < MOST_REFUSALS && !this.#limitReached(active, this.#lanes.first);
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
    const isMore = this.#lanes.waiting > 0 || !this.#exhausted || this.#nextTryAt !== undefined;
    if (this.#limitReached(0, this.#lanes.first)) {
      await this.#recount();
      if (this.#limitReached(0, this.#lanes.first)) return isMore ? 'limit' : 'done';
    }
    if (isMore) return undefined;
    return this.#deps.frontier.isFull ? 'limit' : 'done';
  }

  /** What counts is what was written: a URL that moved in the queue while it was asked for is asked for twice. */
  async #recount(): Promise<void> {
    const { answered, fetches } = (await readJob(this.#job.jobId, this.#deps.table)) ?? this.#job;
    this.#answered = answered;
    this.#fetches = fetches;
  }

  /** What links lead to leaves room for the pages that only a sitemap names; the start page is read whatever comes. */
  #roomForLeaves(next: QueuedUrl | undefined): number {
    return next?.isLeaf || next?.isStart ? 0 : this.#deps.frontier.leaves;
  }

  /** Whether no more of the kind may be asked for while so many are under way. */
  #limitReached(active: number, next: QueuedUrl | undefined): boolean {
    const { config, startedAt = 0 } = this.#job;
    const unwritten = this.#lanes.done;
    const answered = this.#answered + unwritten.filter((visit) => visit.answered).length;
    const fetches = this.#fetches + unwritten.filter(({ fetched }) => fetched).length;
    return (
      answered + active >= config.maxPages - this.#roomForLeaves(next) ||
      fetches + active >= config.maxPages * MOST_FETCHES_PER_PAGE ||
      this.#deps.clock() / 1000 - startedAt > LONGEST_JOB_SECONDS
    );
  }

  /** Takes more from the queue, and says so in the job first: what is in flight at a crash must be known. */
  async #refill(): Promise<void> {
    this.#makeWayForLeaves();
    if (this.#lanes.waiting > this.#deps.lanes) return;
    const { frontier, table, clock } = this.#deps;
    const held = new Set(this.#lanes.held);
    const isFree = ({ urlHash }: QueuedUrl) => !held.has(urlHash);
    const limit = held.size + TAKEN_AHEAD;
    const waiting = await frontier.waiting(MOST_WAITING);
    const putOff = waiting.filter(isFree);
    const due = putOff.filter(({ notBefore = 0 }) => notBefore <= clock());
    this.#nextTryAt = putOff[due.length]?.notBefore;
    const queued = await this.#queued(limit);
    this.#exhausted = queued.length === 0;
    const isNext = (url: QueuedUrl) => isFree(url) && !waiting.some((other) => goesBefore(other, url));
    const taken = [...due, ...queued.filter(isNext)];
    if (taken.length === 0) return;
    const pages = await heldPages(taken, this.#job, table);
    await this.#showLife([...held, ...taken.map(({ urlHash }) => urlHash)]);
    for (const [hash, page] of pages) this.#held.set(hash, page);
    this.#lanes.add(taken);
  }

  /** What links led to has had its share: what was taken of it goes back. */
  #makeWayForLeaves(): void {
    const { first, active } = this.#lanes;
    if (this.#deps.frontier.leaves > 0 && first && !first.isLeaf && this.#limitReached(active, first))
      this.#lanes.giveBack();
  }

  async #queued(limit: number): Promise<readonly QueuedUrl[]> {
    const { frontier } = this.#deps;
    const next = await frontier.shallowest(limit);
    const isFull = frontier.leaves > 0 && !next[0]?.isLeaf && this.#limitReached(this.#lanes.active, next[0]);
    return isFull ? frontier.shallowest(limit, 'leaves') : next;
  }

  async #showLife(inFlight: readonly string[] = this.#lanes.held): Promise<void> {
    await renewLease(this.#job, { inFlight }, this.#deps);
    this.#signOfLife = this.#deps.clock();
  }

  async #wait(): Promise<void> {
    if (this.#committing) {
      const arrival = this.#lanes.active > 0 ? [this.#lanes.arrival()] : [];
      await Promise.race([this.#committing, ...arrival, this.#deps.sleep(LONGEST_WAIT_MS)]);
      return;
    }
    if (this.#lanes.done.length >= PAGES_PER_COMMIT) return;
    if (this.#lanes.active === 0) {
      if (this.#lanes.done.length > 0) return;
      const untilNextTry = (this.#nextTryAt ?? 0) - this.#deps.clock();
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
    return done.length >= PAGES_PER_COMMIT || active === 0 || this.#deps.clock() - oldestDone >= LONGEST_WAIT_MS;
  }

  async #commit(): Promise<void> {
    const visits = this.#lanes.done.slice(0, PAGES_PER_COMMIT);
    await this.#deps.committer.commit(visits);
    this.#lanes.dropDone(visits.length);
    this.#moved ||= visits.some(({ movedTo }) => movedTo !== undefined);
    this.#answered += visits.filter((visit) => visit.answered).length;
    this.#fetches += visits.filter(({ fetched }) => fetched).length;
    this.#signOfLife = this.#deps.clock();
  }
}
