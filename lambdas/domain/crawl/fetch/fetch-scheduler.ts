import { hasCome } from '../../clock.ts';
import type { RegisteredPage } from '../../pages/page-registry.ts';
import type { Frontier } from '../frontier/frontier.ts';
import { LONGEST_RETRY_AFTER_MS, MOST_FETCHES_PER_PAGE, readJob } from '../jobs/job.ts';
import type { Slice } from '../jobs/slice.ts';
import type { QueuedUrl } from '../jobs/url-rows.ts';
import type { FetchPool } from './fetch-pool.ts';
import { storedPages } from './read-page.ts';
import type { Visit } from './visit-result.ts';

export type FetchSchedulerDeps = {
  readonly frontier: Frontier;
  readonly pool: FetchPool;
  /** Records in the job which URLs are in flight, before they are: after a crash they are the poison URLs. */
  readonly announce: (inFlight: readonly string[]) => Promise<void>;
};

/** URLs taken from the frontier beyond those in flight. Each is a poison URL after a crash. */
const TAKEN_AHEAD = 20;
const MOST_POSTPONED = 200;

/** Whether `a` must be expanded before `b` is fetched, even if `a` is postponed: so `b` is found at its least depth. */
const blocks = (a: QueuedUrl, b: QueuedUrl): boolean => !a.isLeaf && (b.isLeaf === true || a.depth < b.depth);

/** Moves URLs from the frontier to the fetch pool, the shallowest first, within the limits of the job. */
export class FetchScheduler {
  readonly #slice: Slice;
  readonly #deps: FetchSchedulerDeps;
  #isQueueEmpty = false;
  #nextTryAt: number | undefined;
  readonly #stored = new Map<string, RegisteredPage>();
  /** Counts of committed visits. */
  #answered: number;
  #fetches: number;

  constructor(slice: Slice, deps: FetchSchedulerDeps) {
    this.#slice = slice;
    this.#deps = deps;
    this.#answered = slice.job.answered;
    this.#fetches = slice.job.fetches;
  }

  /** Whether the last refill found no URL, queued or postponed. */
  get isExhausted(): boolean {
    return this.#isQueueEmpty && this.#nextTryAt === undefined;
  }

  /** Epoch milliseconds of the next try of a postponed URL. */
  get nextTryAt(): number | undefined {
    return this.#nextTryAt;
  }

  /** The stored page of a URL in the pool; a second call returns nothing. */
  takeStored({ urlHash }: QueuedUrl): RegisteredPage | undefined {
    const page = this.#stored.get(urlHash);
    this.#stored.delete(urlHash);
    return page;
  }

  /** Adds URLs to the pool unless more than `enough` wait there. */
  async refill(enough: number): Promise<void> {
    const { pool, announce } = this.#deps;
    if (pool.first && !this.#hasRoom(pool.first)) pool.dropWaiting(); // the rest of the limit is reserved for leaves
    if (pool.waiting > enough) return;
    const inFlight = pool.inFlight;
    const taken = await this.#nextUrls(new Set(inFlight));
    if (taken.length === 0) return;
    const pages = await storedPages(taken, this.#slice.job, this.#slice.table);
    await announce([...inFlight, ...taken.map(({ urlHash }) => urlHash)]);
    for (const [hash, page] of pages) this.#stored.set(hash, page);
    pool.add(taken);
  }

  /** Postponed URLs that are due, then queued ones that no shallower URL blocks. */
  async #nextUrls(inFlight: ReadonlySet<string>): Promise<readonly QueuedUrl[]> {
    const { frontier, pool } = this.#deps;
    const hasRoom = (url: QueuedUrl) => this.#hasRoom(url);
    const isFree = ({ urlHash }: QueuedUrl) => !inFlight.has(urlHash);
    // Read before the queries: a URL that is postponed between them may be missing in both answers.
    const unexpanded = pool.done.map(({ queued }) => queued).filter((url) => !frontier.isExpanded(url));
    const postponed = (await frontier.postponed(MOST_POSTPONED)).filter(hasRoom);
    const waiting = postponed.filter(isFree);
    const now = this.#slice.clock();
    const isDue = ({ notBefore = 0 }: QueuedUrl) => hasCome(notBefore, now, LONGEST_RETRY_AFTER_MS);
    const due = waiting.filter(isDue);
    this.#nextTryAt = waiting.find((url) => !isDue(url))?.notBefore;
    const queued = await this.#queued(inFlight.size + TAKEN_AHEAD);
    this.#isQueueEmpty = queued.length === 0;
    const blocking = [...postponed, ...unexpanded.filter(hasRoom)];
    const isNext = (url: QueuedUrl) => isFree(url) && !blocking.some((other) => blocks(other, url));
    return [...due, ...queued.filter(isNext)];
  }

  async #queued(limit: number): Promise<readonly QueuedUrl[]> {
    const { frontier } = this.#deps;
    const next = await frontier.shallowest(limit);
    return next[0] && !this.#hasRoom(next[0]) ? frontier.shallowest(limit, 'leaves') : next;
  }

  /** Whether the limits allow a URL beside the queued leaves, for which they reserve room. */
  #hasRoom(url: QueuedUrl): boolean {
    return url.isLeaf === true || this.#deps.frontier.leaves === 0 || !this.limitReached(url);
  }

  /** Whether the limits of the job forbid to fetch a URL beside the visits that are active or not committed yet. */
  limitReached(url: QueuedUrl | undefined): boolean {
    const { config } = this.#slice.job;
    const { active, done } = this.#deps.pool;
    const answered = this.#answered + done.filter((visit) => visit.answered).length;
    const fetches = this.#fetches + done.filter(({ fetched }) => fetched).length;
    return (
      answered + active >= config.maxPages - this.#reservedFor(url) ||
      fetches + active >= config.maxPages * MOST_FETCHES_PER_PAGE ||
      this.#slice.isOverdue
    );
  }

  /** Linked URLs leave room for the queued leaves. The start page is fetched in any case. */
  #reservedFor(url: QueuedUrl | undefined): number {
    return url?.isLeaf || url?.isStart ? 0 : this.#deps.frontier.leaves;
  }

  committed(visits: readonly Visit[]): void {
    this.#answered += visits.filter((visit) => visit.answered).length;
    this.#fetches += visits.filter(({ fetched }) => fetched).length;
  }

  /** Only the table has the true counts: a URL that moved in the queue while it was fetched is fetched twice. */
  async recount(): Promise<void> {
    const { job, table } = this.#slice;
    const { answered, fetches } = (await readJob(job.jobId, table)) ?? job;
    this.#answered = answered;
    this.#fetches = fetches;
  }
}
