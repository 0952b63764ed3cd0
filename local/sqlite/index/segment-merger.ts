import type { DatabaseSync } from 'node:sqlite';
import { WorkerThread } from '../../../lambdas/connectors/worker-thread.ts';
import { isOutage } from '../../../lambdas/domain/errors.ts';
import { encodeInParts, sizeOf } from '../../../lambdas/search-engine/segment-format.ts';
import { CALL_TIMEOUT_MS, type Call, monotonicMs } from '../../threads/calls.ts';
import { collectGarbage } from '../../threads/collect-garbage.ts';
import { type Merged, merged, neighboursToMerge, newestToMerge } from './merge-plan.ts';
import { type SegmentRow, type SegmentRows, segmentRows } from './segment-rows.ts';

const CHECK_MS = 500;
/** How often all segments are looked at: deleted words leave the file within half a minute. */
const TIDY_MS = 20_000;
/** The thread ends when there was nothing to merge for this time. */
const IDLE_MS = 10_000;
/** A merge into more bytes takes more than twice as much memory, which is freed when it has ended. */
const LARGE_BYTES = 8_000_000;
/** Bytes of a segment in one write. Other writes wait for one. */
const PART_BYTES = 1_000_000;
/** Longest time to finish rewriting segments when the file is closed. */
const CLOSING_MS = 3000;

/** Pause after the thread has died, or while the store cannot be written. */
const PAUSE_MS = 10_000;

type MergerOptions = {
  readonly file: string;
  readonly write: (call: Call) => Promise<unknown>;
  /** Called if the thread dies, or a merge fails. */
  readonly onError: (error: unknown) => void;
};

/**
 * Keeps the segments of each partition few, and rewrites those with deleted pages. The work is done in a thread that
 * runs only meanwhile.
 */
export class SegmentMerger {
  readonly #write: MergerOptions['write'];
  readonly #onError: MergerOptions['onError'];
  readonly #thread: WorkerThread<readonly SegmentRow[], Merged | undefined>;
  readonly #rows: SegmentRows;
  readonly #partitions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #tidiedAt = performance.now();
  /** The newest segments of all partitions, when they were tidied. */
  #newest: ReadonlySet<number> = new Set();
  #isClosed = false;

  constructor(database: DatabaseSync, { file, write, onError }: MergerOptions) {
    this.#write = write;
    this.#onError = onError;
    this.#thread = new WorkerThread({
      name: 'merging',
      script: new URL('../../threads/merge-thread.ts', import.meta.url),
      data: () => ({ data: file }),
      onError,
      idleMs: IDLE_MS,
    });
    this.#rows = segmentRows(database);
    this.#partitions = database.prepare(
      'SELECT partition_id AS id FROM index_segment GROUP BY partition_id HAVING count(*) > 1',
    );
    this.#schedule();
  }

  /** Ends merging. Before the file is closed, the segments with deleted pages are rewritten, if it can be written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    void this.#thread.stop();
    await this.#running;
    const end = performance.now() + CLOSING_MS;
    try {
      for (const row of this.#rows.withDeletions()) {
        if (performance.now() > end) return;
        await this.#store(merged([row], this.#rows), [row]);
      }
    } catch (error) {
      if (!isOutage(error)) this.#onError(error);
    }
  }

  #schedule(ms = CHECK_MS): void {
    if (!this.#isClosed) this.#timer = setTimeout(() => (this.#running = this.#run()), ms).unref();
  }

  /** Merges segments until an error; the rest is merged later. */
  async #run(): Promise<void> {
    try {
      for (const rows of this.#tasks()) {
        const answer = this.#isClosed ? undefined : await this.#thread.request(rows);
        if (!answer) continue;
        const isLarge = sizeOf(answer.sections) > LARGE_BYTES;
        if (isLarge) await this.#thread.stop();
        await this.#store(answer, rows);
        if (isLarge) setImmediate(collectGarbage);
      }
      this.#schedule();
    } catch (error) {
      if (!isOutage(error) && !this.#isClosed) this.#onError(error);
      this.#schedule(PAUSE_MS);
    }
  }

  *#tasks(): Generator<readonly SegmentRow[]> {
    const partitions = this.#partitions.all().map(({ id }) => this.#rows.of(Number(id)));
    for (const rows of partitions) if (newestToMerge(rows).length > 0) yield newestToMerge(rows);
    if (performance.now() - this.#tidiedAt < TIDY_MS) return;
    this.#tidiedAt = performance.now();
    for (const row of this.#rows.withDeletions()) yield [row];
    const before = this.#newest;
    this.#newest = new Set(partitions.map((rows) => rows.at(-1)?.id ?? 0));
    // Pages are still being added to the others.
    for (const rows of partitions) if (before.has(rows.at(-1)?.id ?? 0)) yield* neighboursToMerge(rows);
  }

  async #store({ made, sections, dropped }: Merged, replaced: readonly SegmentRow[]): Promise<void> {
    let part = 0;
    for (const bytes of made ? encodeInParts(sections, PART_BYTES) : [])
      await this.#call('storePart', made?.id, part++, bytes);
    await this.#call('replace', replaced, { made, dropped });
  }

  #call(method: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.#write({ store: 'pageIndex', method, args, deadline: monotonicMs() + CALL_TIMEOUT_MS });
  }
}
