import type { Clock } from '../../clock.ts';
import type { RegisteredPage } from '../../pages/page-registry.ts';
import type { Table } from '../../ports/table.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { QueuedUrl } from '../frontier/frontier-rows.ts';
import type { CrawlJob } from '../job/job.ts';
import type { JobLimits } from '../job/job-limits.ts';
import type { FetchPool } from './fetch-pool.ts';
import { storedPages } from './revalidation.ts';

export type FetchSchedulerDeps = {
  readonly table: Table;
  readonly clock: Clock;
  readonly frontier: Frontier;
  readonly limits: JobLimits;
  /** Says in the job which URLs are in flight, before they are: at a crash it must be known. */
  readonly announce: (inFlight: readonly string[]) => Promise<void>;
};

/** Taken from the queue ahead of the lanes, and so at risk in a crash. */
const TAKEN_AHEAD = 30;
const MOST_WAITING = 200;

/** The order of levels holds for URLs that were put off as well, so that depths are the least ones. */
const goesBefore = (a: QueuedUrl, b: QueuedUrl): boolean => !a.isLeaf && (b.isLeaf === true || a.depth < b.depth);

/** Takes URLs from the queue for the lanes, the shallowest first. */
export class FetchScheduler {
  readonly #job: CrawlJob;
  readonly #lanes: FetchPool;
  readonly #deps: FetchSchedulerDeps;
  #isQueueEmpty = false;
  /** When the first of those that wait for their next try may be asked for. */
  #nextTryAt: number | undefined;
  /** Of the URLs taken, the pages that the site holds. */
  readonly #pages = new Map<string, RegisteredPage>();

  constructor(job: CrawlJob, lanes: FetchPool, deps: FetchSchedulerDeps) {
    this.#job = job;
    this.#lanes = lanes;
    this.#deps = deps;
  }

  /** Whether the last look found nothing that waits, now or later. */
  get isExhausted(): boolean {
    return this.#isQueueEmpty && this.#nextTryAt === undefined;
  }

  /** Epoch milliseconds; undefined if none waits for its next try. */
  get nextTryAt(): number | undefined {
    return this.#nextTryAt;
  }

  /** The page that the site holds for a URL, told once. */
  takePage({ urlHash }: QueuedUrl): RegisteredPage | undefined {
    const page = this.#pages.get(urlHash);
    this.#pages.delete(urlHash);
    return page;
  }

  /** Gives the lanes more unless more than `enough` wait there. */
  async refill(enough: number): Promise<void> {
    this.#makeWayForLeaves();
    if (this.#lanes.waiting > enough) return;
    const { frontier, table, clock, announce } = this.#deps;
    const held = new Set(this.#lanes.held);
    const isFree = ({ urlHash }: QueuedUrl) => !held.has(urlHash);
    const hasRoom = (url: QueuedUrl) => this.#hasRoom(url);
    // One that is put off while the two questions are asked may be missing in both answers.
    const unexpanded = this.#lanes.done.map(({ queued }) => queued).filter((url) => !frontier.isExpanded(url));
    const waiting = (await frontier.waiting(MOST_WAITING)).filter(hasRoom);
    const putOff = waiting.filter(isFree);
    const due = putOff.filter(({ notBefore = 0 }) => notBefore <= clock());
    this.#nextTryAt = putOff[due.length]?.notBefore;
    const queued = await this.#queued(held.size + TAKEN_AHEAD);
    this.#isQueueEmpty = queued.length === 0;
    const first = [...waiting, ...unexpanded.filter(hasRoom)];
    const isNext = (url: QueuedUrl) => isFree(url) && !first.some((other) => goesBefore(other, url));
    const taken = [...due, ...queued.filter(isNext)];
    if (taken.length === 0) return;
    const pages = await storedPages(taken, this.#job, table);
    await announce([...held, ...taken.map(({ urlHash }) => urlHash)]);
    for (const [hash, page] of pages) this.#pages.set(hash, page);
    this.#lanes.add(taken);
  }

  /** What links led to has had its share: what was taken of it goes back. */
  #makeWayForLeaves(): void {
    const { first } = this.#lanes;
    if (first && !this.#hasRoom(first)) this.#lanes.giveBack();
  }

  async #queued(limit: number): Promise<readonly QueuedUrl[]> {
    const { frontier } = this.#deps;
    const next = await frontier.shallowest(limit);
    return next[0] && !this.#hasRoom(next[0]) ? frontier.shallowest(limit, 'leaves') : next;
  }

  /** Whether a URL may be asked for beside the leaves that wait. */
  #hasRoom(url: QueuedUrl): boolean {
    const { frontier, limits } = this.#deps;
    return url.isLeaf === true || frontier.leaves === 0 || !limits.reached(url, this.#lanes.active, this.#lanes.done);
  }
}
