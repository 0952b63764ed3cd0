import type { DatabaseSync } from 'node:sqlite';
import type { Call, Reply } from './calls.ts';
import { failureOf } from './failure.ts';
import { SQLITE, sqliteCode } from './sqlite-error.ts';
import { isDerived, type Stores } from './stores.ts';

type Methods = Readonly<Record<string, Readonly<Record<string, (...args: readonly unknown[]) => unknown>>>>;

export function answer(stores: Stores, call: Call): Reply {
  try {
    const method = (stores as unknown as Methods)[call.store]?.[call.method];
    if (method === undefined) throw new TypeError(`There is no ${call.store}.${call.method}`);
    return { id: call.id, answer: method(...call.args) };
  } catch (error) {
    return { id: call.id, failure: failureOf(error) };
  }
}

/**
 * Runs calls in one transaction, because with `synchronous=FULL` each commit waits for the disk. Starts calls until
 * `budgetMs` has passed, and none while another process holds the write lock. A call that fails is rolled back alone.
 * Replies are returned after the commit, so that an answered write is durable; if the commit fails, all are failures.
 * Derived writes alone do not wait for the disk: the write-ahead log is in order, so a later commit makes them durable.
 */
export function groupCommit(
  database: DatabaseSync,
  stores: Stores,
): (calls: readonly Call[], budgetMs: number) => readonly Reply[] {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const setSavepoint = database.prepare('SAVEPOINT one_call');
  const rollBackToSavepoint = database.prepare('ROLLBACK TO one_call');
  const releaseSavepoint = database.prepare('RELEASE one_call');

  const answerInTransaction = (call: Call): Reply => {
    setSavepoint.run();
    const reply = answer(stores, call);
    // Some errors, such as a full disk, make SQLite roll back the whole transaction.
    if ('failure' in reply && !database.isTransaction) throw reply.failure.cause;
    if ('failure' in reply) rollBackToSavepoint.run();
    releaseSavepoint.run();
    return reply;
  };

  let isSynchronous = true;
  const setSynchronous = (wanted: boolean): void => {
    if (wanted !== isSynchronous) database.exec(`PRAGMA synchronous = ${wanted ? 'FULL' : 'NORMAL'}`);
    isSynchronous = wanted;
  };

  return (calls, budgetMs) => {
    const end = performance.now() + budgetMs;
    const replies: Reply[] = [];
    let started = calls.length;
    try {
      setSynchronous(!calls.every(isDerived));
      begin.run();
      for (const call of calls) {
        started = replies.length + 1;
        replies.push(answerInTransaction(call));
        if (performance.now() > end) break;
      }
      commit.run();
      return replies;
    } catch (error) {
      if (!database.isTransaction && sqliteCode(error) === SQLITE.busy) return [];
      if (database.isTransaction) rollback.run();
      stores.pageIndex.closeSegments();
      return calls.slice(0, started).map(({ id }) => ({ id, failure: failureOf(error) }));
    }
  };
}
