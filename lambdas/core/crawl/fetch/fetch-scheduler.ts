import type { RegisteredPage } from '../../pages/page-registry.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { QueuedUrl } from '../frontier/frontier-rows.ts';
import type { JobLimits } from '../job/job-limits.ts';
import type { Slice } from '../job/slice.ts';
import type { FetchPool } from './fetch-pool.ts';
import { storedPages } from './revalidation.ts';

export type FetchSchedulerDeps = {
  readonly frontier: Frontier;
  readonly pool: FetchPool;
  readonly limits: JobLimits;
  /** Records in the job which URLs are in flight, before they are: after a crash they are the poison URLs. */
  readonly announce: (inFlight: readonly string[]) => Promise<void>;
};

/** URLs taken from the frontier beyond those in flight. Each is a poison URL after a crash. */
const TAKEN_AHEAD = 30;
const MOST_POSTPONED = 200;

/** Depth order also holds for postponed URLs, so that every depth is the least. */
const blocks = (a: QueuedUrl, b: QueuedUrl): boolean => !a.isLeaf && (b.isLeaf === true || a.depth < b.depth);

/** Moves URLs from the frontier to the fetch pool, the shallowest first. */
export class FetchScheduler {
  readonly #slice: Slice;
  readonly #deps: FetchSchedulerDeps;
  #isQueueEmpty = false;
  #nextTryAt: number | undefined;
  readonly #stored = new Map<string, RegisteredPage>();

  constructor(slice: Slice, deps: FetchSchedulerDeps) {
    this.#slice = slice;
    this.#deps = deps;
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
    const due = waiting.filter(({ notBefore = 0 }) => notBefore <= this.#slice.clock());
    this.#nextTryAt = waiting[due.length]?.notBefore;
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
    const { frontier, limits, pool } = this.#deps;
    return url.isLeaf === true || frontier.leaves === 0 || !limits.reached(url, pool.active, pool.done);
  }
}
