import type { DatabaseSync } from 'node:sqlite';
import { SQLITE, sqliteCode, storeError } from '../sqlite/store-error.ts';
import type { Stores } from '../sqlite/stores.ts';
import { answerOf, type Call, lateAnswer, monotonicMs } from './calls.ts';

/** How long the first call of a transaction waits for others. A single call may take longer. */
const TURN_MS = 8;

/**
 * Stores whose writes need not be durable at once. A page counts only once a row of the table refers to it, and the
 * later commit of that row makes both durable. Events are lost only by a power failure, and are not worth a wait for
 * the disk.
 */
const DERIVED: ReadonlySet<string> = new Set<keyof Stores>(['pageStore', 'pageIndex', 'eventLog']);

type Write = {
  readonly call: Call;
  readonly client: unknown;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
};

/**
 * Runs the writes of all threads in turns: each client's first write before any client's second. One transaction has
 * several writes, because with `synchronous=FULL` each commit waits for the disk (docs/decisions/006-local-store.md).
 */
export class Writer {
  readonly #database: DatabaseSync;
  readonly #stores: Stores;
  readonly #turnMs: number;
  readonly #assertThere: () => void;
  #waiting: Write[] = [];
  #isScheduled = false;
  #isSynchronous = true;

  /** Creates a writer. `assertThere` throws if what is written would be lost. */
  constructor(database: DatabaseSync, stores: Stores, turnMs = TURN_MS, assertThere: () => void = () => undefined) {
    this.#database = database;
    this.#stores = stores;
    this.#turnMs = turnMs;
    this.#assertThere = assertThere;
  }

  /** Resolves after the commit, so that an acknowledged write is durable. Each `client` has its turns. */
  call(call: Call, client: unknown): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.push({ call, client, resolve, reject });
    this.#schedule();
    return promise;
  }

  /** Runs all waiting writes. */
  finish(): void {
    while (this.#waiting.length > 0) this.#takeTurn();
  }

  /** Schedules a turn after the messages that have already arrived, so that one transaction has them all. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#takeTurn();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  #takeTurn(): void {
    const now = monotonicMs();
    for (const { call, reject } of this.#waiting) if (call.deadline <= now) reject(lateAnswer(call));
    const writes = inTurns(this.#waiting.filter(({ call }) => call.deadline > now));
    this.#waiting = writes.length > 0 ? writes.slice(this.#commit(writes)) : [];
  }

  /**
   * Commits writes until the turn is over. Commits none while another process holds the write lock. A failed write is
   * rolled back alone. If the commit fails, all its writes fail. Returns the number of writes that have ended.
   */
  #commit(writes: readonly Write[]): number {
    const end = performance.now() + this.#turnMs;
    const settle: (() => void)[] = [];
    let started = writes.length;
    try {
      this.#assertThere();
      this.#waitForDisk(!writes.every(({ call }) => DERIVED.has(call.store)));
      this.#database.exec('BEGIN IMMEDIATE');
      for (const write of writes) {
        started = settle.length + 1;
        settle.push(writes.length === 1 ? this.#done(write) : this.#attempt(write));
        if (performance.now() > end) break;
      }
      this.#database.exec('COMMIT');
    } catch (error) {
      if (!this.#database.isTransaction && sqliteCode(error) === SQLITE.busy) return 0;
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      for (const { reject } of writes.slice(0, started)) reject(storeError(error));
      return started;
    }
    for (const each of settle) each();
    return settle.length;
  }

  /** Runs a write. Returns a function that resolves its call after the commit. */
  #done({ call, resolve }: Write): () => void {
    const answer = answerOf(this.#stores, call);
    return () => resolve(answer);
  }

  /**
   * Runs one of several writes, with a savepoint. The only write of a transaction needs none, and a savepoint is
   * costly: SQLite copies the changed pages, many of them to a temporary file.
   */
  #attempt(write: Write): () => void {
    this.#database.exec('SAVEPOINT one_call');
    try {
      const settle = this.#done(write);
      this.#database.exec('RELEASE one_call');
      return settle;
    } catch (error) {
      // Some errors, such as a full disk, make SQLite roll back the whole transaction.
      if (!this.#database.isTransaction) throw error;
      this.#database.exec('ROLLBACK TO one_call; RELEASE one_call');
      return () => write.reject(storeError(error));
    }
  }

  /**
   * Sets whether the commit waits for the disk. The write-ahead log is in order, so a later commit makes earlier ones
   * durable.
   */
  #waitForDisk(wanted: boolean): void {
    if (wanted !== this.#isSynchronous) this.#database.exec(`PRAGMA synchronous = ${wanted ? 'FULL' : 'NORMAL'}`);
    this.#isSynchronous = wanted;
  }
}

function inTurns(writes: readonly Write[]): Write[] {
  const lists = [...Map.groupBy(writes, ({ client }) => client).values()];
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) => lists.flatMap((list) => list[round] ?? [])).flat();
}
