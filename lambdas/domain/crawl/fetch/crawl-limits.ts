import type { Frontier } from '../frontier/frontier.ts';
import { MAX_FETCHES_PER_PAGE, readJob } from '../jobs/job.ts';
import type { Slice } from '../jobs/slice.ts';
import type { QueuedUrl } from '../jobs/url-rows.ts';
import type { FetchLimits, FetchPool } from './fetch-pool.ts';
import type { Refusals } from './refusals.ts';
import type { Visit } from './visit-result.ts';

/** Maximum number of visits that are active or not committed: two batches, and ten to choose from. */
const MAX_UNCOMMITTED = 42;

/** The limits of a job, and how much of them committed visits have used. */
export class CrawlLimits implements FetchLimits {
  readonly #slice: Slice;
  readonly #frontier: Frontier;
  readonly #refusals: Refusals;
  #answered: number;
  #fetches: number;

  constructor(slice: Slice, frontier: Frontier, refusals: Refusals) {
    this.#slice = slice;
    this.#frontier = frontier;
    this.#refusals = refusals;
    this.#answered = slice.job.answered;
    this.#fetches = slice.job.fetches;
  }

  mayStart(pool: FetchPool): boolean {
    const hasRoom = pool.active + pool.done.length < MAX_UNCOMMITTED;
    return hasRoom && !this.#refusals.isExhausted && !this.isReached(pool);
  }

  note(visit: Visit): void {
    this.#refusals.note(visit);
  }

  /** Returns whether a URL may be fetched although room is reserved for the queued leaves. */
  hasRoom(url: QueuedUrl, pool: FetchPool): boolean {
    return url.isLeaf === true || this.#frontier.leaves === 0 || !this.isReached(pool, url);
  }

  /** Returns whether the limits, counting visits that are active or not committed, forbid to fetch a URL. */
  isReached(pool: FetchPool, url = pool.first): boolean {
    const { config } = this.#slice.job;
    const { active, done } = pool;
    const answered = this.#answered + done.filter((visit) => visit.answered).length;
    const fetches = this.#fetches + done.filter(({ fetched }) => fetched).length;
    return (
      answered + active >= config.maxPages - this.#reservedFor(url) ||
      fetches + active >= config.maxPages * MAX_FETCHES_PER_PAGE ||
      this.#slice.isOverdue
    );
  }

  /** Returns how many pages a linked URL must leave to queued leaves. The start page is fetched in any case. */
  #reservedFor(url: QueuedUrl | undefined): number {
    return url?.isLeaf || url?.isStart ? 0 : this.#frontier.leaves;
  }

  committed(visits: readonly Visit[]): void {
    this.#answered += visits.filter((visit) => visit.answered).length;
    this.#fetches += visits.filter(({ fetched }) => fetched).length;
  }

  /**
   * Reads the counts from the table. Only they are exact: a URL that moved in the queue while being fetched is fetched
   * twice.
   */
  async recount(): Promise<void> {
    const { job, table } = this.#slice;
    const { answered, fetches } = (await readJob(job.jobId, table)) ?? job;
    this.#answered = answered;
    this.#fetches = fetches;
  }
}
