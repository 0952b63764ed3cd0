import type { DatabaseSync } from 'node:sqlite';
import { QUERIES_OF_DAY } from '../../lambdas/domain/ports/event-log.ts';

/**
 * `queries` is the number of counted queries of a site's day. `length` is the number of characters stored of its
 * events: later events are stored without their texts.
 */
type DayLimits = { readonly queries: number; readonly length: number };
export const DAY_LIMITS: DayLimits = { queries: QUERIES_OF_DAY, length: 20_000_000 };

/** Tracks how much more of a day may be stored for a site, or for an organisation's groups. */
export function dailyEventQuota(database: DatabaseSync, limits: DayLimits) {
  const add = (column: 'queries' | 'length', most: number) =>
    database.prepare(
      `INSERT INTO day_room (scope, day, queries, length) VALUES (:scope, :day, :queries, :length)
       ON CONFLICT DO UPDATE SET ${column} = ${column} + excluded.${column} WHERE ${column} < ${most}`,
    );
  const [addQuery, addText] = [add('queries', limits.queries), add('length', limits.length)];
  return {
    /** Counts one more query. Returns false if the limit is reached. */
    takeQuery: (scope: number, day: number): boolean =>
      addQuery.run({ scope, day, queries: 1, length: 0 }).changes === 1,
    /** Counts the texts of an event. Returns false if the limit is reached. */
    takeText: (scope: number, day: number, length: number): boolean =>
      addText.run({ scope, day, queries: 0, length }).changes === 1,
  };
}
