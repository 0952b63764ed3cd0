import { once } from 'node:events';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { UnavailableError } from '../../../core/errors.ts';
import { type Merged, merged, neighboursToMerge, newestToMerge, segmentsWithDeletions } from './merge-plan.ts';
import { newSegmentId, type SegmentRow, SegmentRows } from './segment-rows.ts';
import type { Replacement } from './segment-store.ts';

const CHECK_MS = 500;
/** How often all segments are looked at: deleted words leave the file within half a minute. */
const TIDY_MS = 20_000;
/** The thread ends when there was nothing to merge for this time. */
const IDLE_MS = 10_000;
/** Of a segment: a search may wait for one write. */
const PART_BYTES = 1_000_000;
/** Of the rewriting of segments when the file is closed. */
const CLOSING_MS = 3000;

/** The writes of `segmentStore`, as calls. */
type Writer = {
  storeParts(id: number, parts: readonly Uint8Array[], first: number): Promise<void>;
  replace(replacement: Replacement): Promise<boolean>;
};

/**
 * Keeps the segments of each partition few, and rewrites those with deleted pages. The work is done in a thread that
 * runs only meanwhile.
 */
export class SegmentMerger {
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #writer: Writer;
  readonly #rows: SegmentRows;
  readonly #partitions;
  #thread: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #usedAt = 0;
  #tidiedAt = performance.now();
  /** The newest segments of all partitions, when they were tidied. */
  #newest: ReadonlySet<number> = new Set();
  #isClosed = false;

  constructor(database: DatabaseSync, file: string, writer: Writer) {
    this.#database = database;
    this.#file = file;
    this.#writer = writer;
    this.#rows = new SegmentRows(database);
    this.#partitions = database.prepare(
      'SELECT partition_id AS id FROM index_segment GROUP BY partition_id HAVING count(*) > 1',
    );
    this.#schedule();
  }

  /** Ends merging. Before the file is closed, the segments with deleted pages are rewritten. */
  close(write: (replacement: Replacement, parts: readonly Uint8Array[]) => void): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    void this.#thread?.terminate();
    const end = performance.now() + CLOSING_MS;
    for (const row of segmentsWithDeletions(this.#database)) {
      if (performance.now() > end) break;
      const made = merged([row], this.#rows);
      write(replacementOf(made, [row]), made.bytes.length > 0 ? [made.bytes] : []);
    }
  }

  #schedule(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#run().finally(() => this.#schedule()), CHECK_MS).unref();
  }

  async #run(): Promise<void> {
    try {
      for (const rows of this.#tasks()) await this.#merge(rows);
    } catch (error) {
      // Whatever was not merged is merged later.
      if (!(error instanceof UnavailableError) && !this.#isClosed) throw error;
    }
    if (this.#thread && performance.now() - this.#usedAt > IDLE_MS) {
      void this.#thread.terminate();
      this.#thread = undefined;
    }
  }

  *#tasks(): Generator<readonly SegmentRow[]> {
    const partitions = this.#partitions.all().map(({ id }) => this.#rows.of(Number(id)));
    for (const rows of partitions) if (newestToMerge(rows).length > 0) yield newestToMerge(rows);
    if (performance.now() - this.#tidiedAt < TIDY_MS) return;
    this.#tidiedAt = performance.now();
    for (const row of segmentsWithDeletions(this.#database)) yield [row];
    const before = this.#newest;
    this.#newest = new Set(partitions.map((rows) => rows.at(-1)?.id ?? 0));
    // Pages are still being added to the others.
    for (const rows of partitions) if (before.has(rows.at(-1)?.id ?? 0)) yield* neighboursToMerge(rows);
  }

  async #merge(rows: readonly SegmentRow[]): Promise<void> {
    this.#thread ??= this.#start();
    this.#thread.postMessage(rows);
    const [made] = (await once(this.#thread, 'message')) as [Merged | undefined];
    this.#usedAt = performance.now();
    if (made && !this.#isClosed) await this.#store(made, replacementOf(made, rows));
  }

  #start(): Worker {
    const thread = new Worker(new URL('./merge-thread.ts', import.meta.url), {
      name: 'merging',
      workerData: this.#file,
    });
    thread.unref();
    return thread;
  }

  async #store({ bytes }: Merged, replacement: Replacement): Promise<void> {
    const { made } = replacement;
    for (let part = 0; made && part * PART_BYTES < bytes.length && !this.#isClosed; part++)
      await this.#writer.storeParts(made.id, [bytes.slice(part * PART_BYTES, (part + 1) * PART_BYTES)], part);
    if (!this.#isClosed) await this.#writer.replace(replacement);
  }
}

function replacementOf({ bytes, dropped, ...made }: Merged, rows: readonly SegmentRow[]): Replacement {
  const partition = rows[0]?.partition ?? 0;
  const row = { ...made, id: newSegmentId(), partition, size: bytes.length };
  return { partition, replaced: rows.map(({ id }) => id), dropped, ...(bytes.length > 0 && { made: row }) };
}
