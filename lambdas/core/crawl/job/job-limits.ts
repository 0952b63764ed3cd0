import type { Clock } from '../../clock.ts';
import type { Table } from '../../ports/table.ts';
import type { Visit } from '../fetch/visit-result.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { QueuedUrl } from '../frontier/frontier-rows.ts';
import { type CrawlJob, LONGEST_JOB_SECONDS, MOST_FETCHES_PER_PAGE, readJob } from './job.ts';

type Deps = { readonly table: Table; readonly clock: Clock; readonly frontier: Frontier };

/** How many pages a job may still ask for. */
export class JobLimits {
  readonly #job: CrawlJob;
  readonly #deps: Deps;
  #answered: number;
  #fetches: number;

  constructor(job: CrawlJob, deps: Deps) {
    this.#job = job;
    this.#deps = deps;
    this.#answered = job.answered;
    this.#fetches = job.fetches;
  }

  /** Whether no more of the kind of `next` may be asked for, while so many are under way and these are not written yet. */
  reached(next: QueuedUrl | undefined, active: number, unwritten: readonly Visit[]): boolean {
    const { config, startedAt = 0 } = this.#job;
    const answered = this.#answered + unwritten.filter((visit) => visit.answered).length;
    const fetches = this.#fetches + unwritten.filter(({ fetched }) => fetched).length;
    return (
      answered + active >= config.maxPages - this.#roomForLeaves(next) ||
      fetches + active >= config.maxPages * MOST_FETCHES_PER_PAGE ||
      this.#deps.clock() / 1000 - startedAt > LONGEST_JOB_SECONDS
    );
  }

  written(visits: readonly Visit[]): void {
    this.#answered += visits.filter((visit) => visit.answered).length;
    this.#fetches += visits.filter(({ fetched }) => fetched).length;
  }

  /** What counts is what was written: a URL that moved in the queue while it was asked for is asked for twice. */
  async recount(): Promise<void> {
    const { answered, fetches } = (await readJob(this.#job.jobId, this.#deps.table)) ?? this.#job;
    this.#answered = answered;
    this.#fetches = fetches;
  }

  /** What links lead to leaves room for the pages that only a sitemap names; the start page is read whatever comes. */
  #roomForLeaves(next: QueuedUrl | undefined): number {
    return next?.isLeaf || next?.isStart ? 0 : this.#deps.frontier.leaves;
  }
}
