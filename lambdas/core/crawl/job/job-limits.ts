import type { Visit } from '../fetch/visit-result.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { QueuedUrl } from '../frontier/frontier-rows.ts';
import { LONGEST_JOB_SECONDS, MOST_FETCHES_PER_PAGE, readJob } from './job.ts';
import type { Slice } from './slice.ts';

/** How many pages a job may still fetch. */
export class JobLimits {
  readonly #slice: Slice;
  readonly #frontier: Frontier;
  #answered: number;
  #fetches: number;

  constructor(slice: Slice, frontier: Frontier) {
    this.#slice = slice;
    this.#frontier = frontier;
    this.#answered = slice.job.answered;
    this.#fetches = slice.job.fetches;
  }

  /** Whether `next` must not be fetched, with this many active visits and these that are not committed yet. */
  reached(next: QueuedUrl | undefined, active: number, uncommitted: readonly Visit[]): boolean {
    const { config, startedAt = 0 } = this.#slice.job;
    const answered = this.#answered + uncommitted.filter((visit) => visit.answered).length;
    const fetches = this.#fetches + uncommitted.filter(({ fetched }) => fetched).length;
    return (
      answered + active >= config.maxPages - this.#reservedFor(next) ||
      fetches + active >= config.maxPages * MOST_FETCHES_PER_PAGE ||
      this.#slice.clock() / 1000 - startedAt > LONGEST_JOB_SECONDS
    );
  }

  written(visits: readonly Visit[]): void {
    this.#answered += visits.filter((visit) => visit.answered).length;
    this.#fetches += visits.filter(({ fetched }) => fetched).length;
  }

  /** Only the table knows the true counts: a URL that moved in the queue while it was fetched is fetched twice. */
  async recount(): Promise<void> {
    const { job, table } = this.#slice;
    const { answered, fetches } = (await readJob(job.jobId, table)) ?? job;
    this.#answered = answered;
    this.#fetches = fetches;
  }

  /** Linked URLs leave room for the queued leaves. The start page is fetched in any case. */
  #reservedFor(next: QueuedUrl | undefined): number {
    return next?.isLeaf || next?.isStart ? 0 : this.#frontier.leaves;
  }
}
