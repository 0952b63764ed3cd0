import type { Clock } from '../../clock.ts';
import type { FetchPool } from '../fetch/fetch-pool.ts';
import type { Visit } from '../fetch/visit-result.ts';
import { type Committer, type CommitUnderWay, PAGES_PER_COMMIT, type PreparedCommit } from './commit.ts';

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

/**
 * Commits the finished visits of a fetch pool in batches, while the pool goes on fetching. One batch is written at a
 * time; meanwhile the next one is prepared.
 */
export class BackgroundCommit {
  readonly #deps: BackgroundCommitDeps;
  #preparing: Promise<void> | undefined;
  #writing: (CommitUnderWay & { readonly ended: Promise<'written' | 'failed'> }) | undefined;
  /**
   * Of the batches that the pool's finished visits begin with: the one that is written, if any, and the next. Kept
   * after a failure: if pages of a batch are half-written, others of it may be their duplicates.
   */
  readonly #sizes: number[] = [];
  #writesEnded = 0;
  #expansion = Promise.withResolvers<void>();
  #failure: unknown;

  constructor(deps: BackgroundCommitDeps) {
    this.#deps = deps;
  }

  /** Resolves when a batch has been prepared or written, or has failed. Undefined if nothing is under way. */
  get underWay(): Promise<unknown> | undefined {
    const steps = [this.#preparing, this.#writing?.ended].filter((step) => step !== undefined);
    return steps.length > 0 ? Promise.race(steps) : undefined;
  }

  /** How many writes have ended, well or not. */
  get writesEnded(): number {
    return this.#writesEnded;
  }

  /** Resolves when a batch has enqueued its links, so that deeper URLs may be fetched. */
  nextExpansion(): Promise<void> {
    this.#expansion = Promise.withResolvers();
    return this.#expansion.promise;
  }

  /** A batch can be prepared: there are enough visits, none is on its way, or one has waited long. */
  get isDue(): boolean {
    const { pool, clock } = this.#deps;
    const oldest = pool.doneAt(this.#beingWritten);
    if (this.#preparing || oldest === undefined) return false;
    const waiting = pool.done.length - this.#beingWritten;
    return waiting >= ENOUGH_VISITS || pool.active === 0 || clock() - oldest >= LONGEST_WAIT_MS;
  }

  get #beingWritten(): number {
    return this.#writing ? (this.#sizes[0] ?? 0) : 0;
  }

  /** Prepares a batch, then writes it. A failure is thrown by `throwFailure`. */
  begin(): void {
    this.#preparing = this.#prepareNext()
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#preparing = undefined;
      });
  }

  throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  /** Waits for everything that is under way. */
  async settle(): Promise<void> {
    while (this.underWay) await this.underWay;
  }

  /** Waits for what is under way and commits one more batch, unless that has failed. */
  async flush(): Promise<void> {
    await this.settle();
    this.throwFailure();
    if (this.#deps.pool.done.length === 0) return;
    this.begin();
    await this.settle();
    this.throwFailure();
  }

  /** Ends when the writing has begun. */
  async #prepareNext(): Promise<void> {
    const { committer, pool, sleep } = this.#deps;
    const before = this.#writing;
    const from = this.#beingWritten;
    const index = before ? 1 : 0;
    const size = this.#sizes[index] ?? Math.min(pool.done.length - from, PAGES_PER_COMMIT);
    this.#sizes[index] = size;
    const visits = pool.done.slice(from, from + size);
    const prepared = await committer.prepare(visits, {
      underWay: before,
      whenExpanded: () => {
        this.#expansion.resolve();
        return sleep(0); // the next fetches start before the pages keep this thread busy
      },
    });
    if ((await before?.ended) === 'failed') return; // that batch is the next again, and then this one
    this.#writing = { texts: prepared.texts, ended: this.#write(prepared, visits) };
  }

  async #write(prepared: PreparedCommit, visits: readonly Visit[]): Promise<'written' | 'failed'> {
    const { committer, pool, onCommitted } = this.#deps;
    try {
      await committer.write(prepared);
      pool.dropDone(visits.length);
      this.#sizes.shift();
      onCommitted(visits);
      return 'written';
    } catch (error) {
      this.#failure = error;
      return 'failed';
    } finally {
      this.#writing = undefined;
      this.#writesEnded++;
    }
  }
}
