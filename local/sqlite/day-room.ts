import type { DatabaseSync } from 'node:sqlite';
import { QUERIES_OF_DAY } from '../../lambdas/domain/ports/event-log.ts';

/** `length`: characters of events that are kept of a site's day. Of further events the texts are left out. */
type DayLimits = { readonly queries: number; readonly length: number };
export const DAY_LIMITS: DayLimits = { queries: QUERIES_OF_DAY, length: 20_000_000 };

/** What the events of a site, or of an organisation's groups, may still take of a day. */
export function dayRoom(database: DatabaseSync, limits: DayLimits) {
  const add = (column: 'queries' | 'length', most: number) =>
    database.prepare(
      `INSERT INTO day_room (scope, day, queries, length) VALUES (:scope, :day, :queries, :length)
       ON CONFLICT DO UPDATE SET ${column} = ${column} + excluded.${column} WHERE ${column} < ${most}`,
    );
  const [addQuery, addText] = [add('queries', limits.queries), add('length', limits.length)];
  return {
    /** Takes room for one more query. Answers whether there was any. */
    takeQuery: (scope: number, day: number): boolean =>
      addQuery.run({ scope, day, queries: 1, length: 0 }).changes === 1,
    /** Takes room for the texts of an event. Answers whether there was any. */
    takeText: (scope: number, day: number, length: number): boolean =>
      addText.run({ scope, day, queries: 0, length }).changes === 1,
  };
}
