import type { DatabaseSync } from 'node:sqlite';
import { QUERIES_OF_DAY } from '../../../core/ports/event-log.ts';

/** `length`: characters of events that are kept of a site's day. Of further events the texts are left out. */
export type DayLimits = { readonly queries: number; readonly length: number };
export const DAY_LIMITS: DayLimits = { queries: QUERIES_OF_DAY, length: 20_000_000 };

/** What the events of a site, or of an organisation's groups, may still take of a day. */
export function dayRoom(database: DatabaseSync, limits: DayLimits) {
  const find = database.prepare('SELECT length FROM day_room WHERE scope = :scope AND day = :day');
  const add = database.prepare(
    `INSERT INTO day_room (scope, day, queries, length) VALUES (:scope, :day, 0, :length)
     ON CONFLICT DO UPDATE SET length = length + excluded.length`,
  );
  const addQuery = database.prepare(
    `INSERT INTO day_room (scope, day, queries, length) VALUES (:scope, :day, 1, 0)
     ON CONFLICT DO UPDATE SET queries = queries + 1 WHERE queries < ${limits.queries}`,
  );
  return {
    /** Takes room for one more query. Answers whether there was any. */
    takeQuery: (scope: number, day: number): boolean => addQuery.run({ scope, day }).changes === 1,
    hasText: (scope: number, day: number): boolean => Number(find.get({ scope, day })?.length ?? 0) < limits.length,
    takeText: (scope: number, day: number, length: number): void => void add.run({ scope, day, length }),
  };
}
