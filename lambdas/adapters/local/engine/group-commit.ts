import type { DatabaseSync } from 'node:sqlite';
import type { Call, Failure, Reply } from './protocol.ts';
import { isOutage, SQLITE, sqliteCode } from './sqlite-error.ts';
import { isDerived, isRead, type Stores } from './stores.ts';

type Methods = Readonly<Record<string, Readonly<Record<string, (...args: readonly unknown[]) => unknown>>>>;

/** Does one call outside of a transaction. */
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
 * Does the calls in one transaction, because with `synchronous=FULL` it is the commit that costs: as many, from the first on, as it
 * begins within `budgetMs`, none while another process writes. A call that fails is undone alone. The replies of those that were
 * done come after the commit, so that an answered write is on the disk; if nothing can be committed, they are failures. Derived writes
 * alone do not wait for the disk: the next commit of others takes them along, for the journal is written in order (SQLite, "Write-Ahead
 * Logging").
 */
export function groupCommit(
  database: DatabaseSync,
  stores: Stores,
): (calls: readonly Call[], budgetMs: number) => readonly Reply[] {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const mark = database.prepare('SAVEPOINT one_call');
  const undo = database.prepare('ROLLBACK TO one_call');
  const unmark = database.prepare('RELEASE one_call');

  const answerAlone = (call: Call): Reply => {
    if (isRead(call)) return answer(stores, call);
    mark.run();
    const reply = answer(stores, call);
    // SQLite ends the whole transaction by itself on some errors, such as a full disk.
    if ('failure' in reply && !database.isTransaction) throw reply.failure.cause;
    if ('failure' in reply) undo.run();
    unmark.run();
    return reply;
  };

  let waits = true;
  const waitForDisk = (wanted: boolean): void => {
    if (wanted !== waits) database.exec(`PRAGMA synchronous = ${wanted ? 'FULL' : 'NORMAL'}`);
    waits = wanted;
  };

  return (calls, budgetMs) => {
    const end = performance.now() + budgetMs;
    const replies: Reply[] = [];
    let begun = calls.length;
    try {
      waitForDisk(!calls.every(isDerived));
      begin.run();
      for (const call of calls) {
        begun = replies.length + 1;
        replies.push(answerAlone(call));
        if (performance.now() > end) break;
      }
      commit.run();
      return replies;
    } catch (error) {
      if (!database.isTransaction && sqliteCode(error) === SQLITE.busy) return [];
      if (database.isTransaction) rollback.run();
      return calls.slice(0, begun).map(({ id }) => ({ id, failure: failureOf(error) }));
    }
  };
}

function failureOf(cause: unknown): Failure {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof RangeError) return { kind: 'limit', message, cause };
  return { kind: isOutage(cause) ? 'unavailable' : 'fault', message, cause };
}
