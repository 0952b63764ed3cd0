import { isDue } from '../../clock.ts';
import type { RegisteredPage } from '../../pages/page-registry.ts';
import { MAX_RETRY_AFTER_MS } from '../jobs/job.ts';
import type { QueuedUrl } from '../jobs/url-rows.ts';
import type { Crawl } from '../open-crawl.ts';
import type { FetchPool } from './fetch-pool.ts';
import { storedPages } from './stored-pages.ts';

/** URLs taken from the frontier in addition to those in flight. Each of them is a poison URL after a crash. */
const TAKEN_AHEAD = 20;
const MAX_POSTPONED = 200;

/**
 * Returns whether `a` must be expanded before `b` is fetched, even if `a` is postponed. Then `b` is found at its least
 * depth.
 */
const blocks = (a: QueuedUrl, b: QueuedUrl): boolean => !a.isLeaf && (b.isLeaf === true || a.depth < b.depth);

/** The next URLs to fetch, with the site's pages for them by URL hash. */
export type TakenUrls = {
  readonly urls: readonly QueuedUrl[];
  readonly stored: ReadonlyMap<string, RegisteredPage>;
};

/** Takes URLs from the frontier for the fetch pool, the shallowest first, within the limits of the job. */
export class FetchScheduler {
  readonly #crawl: Crawl;
  readonly #pool: FetchPool;
  #isQueueEmpty = false;
  #nextTryAt: number | undefined;

  constructor(crawl: Crawl, pool: FetchPool) {
    this.#crawl = crawl;
    this.#pool = pool;
  }

  /** Whether the last refill found no URL, neither queued nor postponed. */
  get isExhausted(): boolean {
    return this.#isQueueEmpty && this.#nextTryAt === undefined;
  }

  /** Epoch milliseconds of a postponed URL's next try. */
  get nextTryAt(): number | undefined {
    return this.#nextTryAt;
  }

  /** Takes URLs unless more than `enough` wait in the pool. Returns undefined if it takes none. */
  async take(enough: number): Promise<TakenUrls | undefined> {
    const { limits, slice } = this.#crawl;
    const pool = this.#pool;
    if (pool.first && !limits.hasRoom(pool.first, pool)) pool.dropWaiting(); // the rest is reserved for leaves
    if (pool.waiting > enough) return undefined;
    const urls = await this.#nextUrls(new Set(pool.inFlight));
    return urls.length === 0 ? undefined : { urls, stored: await storedPages(urls, slice.job, slice.table) };
  }

  /** Returns postponed URLs that are due, then queued ones that no shallower URL blocks. */
  async #nextUrls(inFlight: ReadonlySet<string>): Promise<readonly QueuedUrl[]> {
    const { frontier, clock } = this.#crawl;
    const hasRoom = (url: QueuedUrl) => this.#crawl.limits.hasRoom(url, this.#pool);
    const isFree = ({ urlHash }: QueuedUrl) => !inFlight.has(urlHash);
    // Read before the queries: a URL postponed between them may be missing in both answers.
    const unexpanded = this.#pool.done.map(({ queued }) => queued).filter((url) => !frontier.isExpanded(url));
    const postponed = (await frontier.postponed(MAX_POSTPONED)).filter(hasRoom);
    const waiting = postponed.filter(isFree);
    const now = clock();
    const canTry = ({ notBefore = 0 }: QueuedUrl) => isDue(notBefore, now, MAX_RETRY_AFTER_MS);
    const due = waiting.filter(canTry);
    this.#nextTryAt = waiting.find((url) => !canTry(url))?.notBefore;
    const queued = await this.#queued(inFlight.size + TAKEN_AHEAD);
    this.#isQueueEmpty = queued.length === 0;
    const blocking = [...postponed, ...unexpanded.filter(hasRoom)];
    const isNext = (url: QueuedUrl) => isFree(url) && !blocking.some((other) => blocks(other, url));
    return [...due, ...queued.filter(isNext)];
  }

  async #queued(limit: number): Promise<readonly QueuedUrl[]> {
    const { frontier, limits } = this.#crawl;
    const next = await frontier.shallowest(limit);
    return next[0] && !limits.hasRoom(next[0], this.#pool) ? frontier.shallowest(limit, 'leaves') : next;
  }
}
