import { reserveRevisions } from '../../pages/page-writer.ts';
import type { Table } from '../../ports/table.ts';
import type { CrawlJob } from '../jobs/job.ts';

/** Revisions of a running job, reserved in blocks, for one write instead of one per commit. Gaps are harmless. */
export class RevisionBlocks {
  readonly #job: Pick<CrawlJob, 'jobId' | 'siteId' | 'generation'>;
  readonly #table: Table;
  #next = 1;
  #end = 1;

  constructor(job: Pick<CrawlJob, 'jobId' | 'siteId' | 'generation'>, table: Table) {
    this.#job = job;
    this.#table = table;
  }

  /**
   * Answers the first of `count` revisions, at most a block at once; undefined if the job may no longer write. With
   * `isFresh`, they are of a new block.
   */
  async reserve(count: number, isFresh = false): Promise<number | undefined> {
    if (isFresh) this.drop();
    if (this.#next + count > this.#end) {
      const condition = { runningJobId: this.#job.jobId };
      const first = await reserveRevisions(this.#job, REVISIONS_PER_BLOCK, this.#table, condition);
      if (first === undefined) return undefined;
      this.#next = first;
      this.#end = first + REVISIONS_PER_BLOCK;
    }
    const next = this.#next;
    this.#next += count;
    return next;
  }

  /** Drops the rest of the block: another writer may have removed a page with a higher revision. */
  drop(): void {
    this.#next = this.#end;
  }
}

const REVISIONS_PER_BLOCK = 100;
