import type { Clock } from '../../clock.ts';
import type { FetchPool } from '../fetch/fetch-pool.ts';
import type { Visit } from '../fetch/visit-result.ts';
import { type Committer, PAGES_PER_COMMIT } from './commit.ts';

/** This many visits are committed at once, without waiting for more. */
const ENOUGH_VISITS = PAGES_PER_COMMIT / 2;
/** The longest that a finished visit waits for others to be committed with it. */
export const LONGEST_WAIT_MS = 1000;

type BackgroundCommitDeps = {
  readonly committer: Committer;
  readonly pool: FetchPool;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onCommitted: (visits: readonly Visit[]) => void;
};

/** Commits the finished visits of a fetch pool, one batch at a time, while the pool goes on fetching. */
export class BackgroundCommit {
  readonly #deps: BackgroundCommitDeps;
  #running: Promise<void> | undefined;
  #ended = 0;
  /** Kept after a failure: if pages of the batch are half-written, others of it may be their duplicates. */
  #batchSize: number | undefined;
  #expansion = Promise.withResolvers<void>();
  #failure: unknown;

  constructor(deps: BackgroundCommitDeps) {
    this.#deps = deps;
  }

  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** How many commits have ended, well or not. */
  get ended(): number {
    return this.#ended;
  }

  /** Resolves when a running commit has enqueued its links, so that deeper URLs may be fetched. */
  nextExpansion(): Promise<void> {
    this.#expansion = Promise.withResolvers();
    return this.#expansion.promise;
  }

  get hasEnough(): boolean {
    return this.#deps.pool.done.length >= ENOUGH_VISITS;
  }

  /** There are enough visits, nothing else is under way, or a visit has waited long. */
  get isDue(): boolean {
    const { pool, clock } = this.#deps;
    if (pool.oldestDone === undefined) return false;
    return this.hasEnough || pool.active === 0 || clock() - pool.oldestDone >= LONGEST_WAIT_MS;
  }

  /** A failure is thrown by `throwFailure`. */
  begin(): void {
    this.#running = this.#commitBatch()
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#ended++;
        this.#running = undefined;
      });
  }

  throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  /** Waits for the running commit and commits one more batch, unless it failed. */
  async flush(): Promise<void> {
    await this.#running;
    this.throwFailure();
    if (this.#deps.pool.done.length > 0) await this.#commitBatch();
  }

  async #commitBatch(): Promise<void> {
    const { committer, pool, sleep, onCommitted } = this.#deps;
    this.#batchSize ??= Math.min(pool.done.length, PAGES_PER_COMMIT);
    const visits = pool.done.slice(0, this.#batchSize);
    await committer.commit(visits, () => {
      this.#expansion.resolve();
      return sleep(0); // the next fetches start before the pages keep this thread busy
    });
    pool.dropDone(visits.length);
    this.#batchSize = undefined;
    onCommitted(visits);
  }
}
