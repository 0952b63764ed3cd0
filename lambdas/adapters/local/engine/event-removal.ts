import type { DatabaseSync } from 'node:sqlite';
import { COUNTS, type Counts, QUERY_COUNTS } from '../../../core/figures/counts.ts';
import { dayNumber } from '../../../core/figures/days.ts';
import { COUNT_DAYS, EVENT_DAYS } from '../../../core/ports/event-log.ts';

const subtract = (names: readonly string[]): string => names.map((name) => `${name} = ${name} - :${name}`).join(', ');
const allZero = (names: readonly string[]): string => names.map((name) => `${name} = 0`).join(' AND ');

type QueryDay = {
  readonly scope: number;
  readonly query: number;
  readonly day: number;
  readonly text: string;
} & Pick<Counts, (typeof QUERY_COUNTS)[number]>;
type Row<Columns> = Readonly<Record<keyof Columns, number>>;

/** Removal of events in small steps, so that no search waits long. */
export function eventRemoval(database: DatabaseSync) {
  const siteScope = database.prepare(
    `SELECT site.id AS scope, organisation.id AS organisation FROM event_scope AS site
     LEFT JOIN event_scope AS organisation ON organisation.org_id = site.org_id AND organisation.site_id = ''
     WHERE site.site_id = :siteId`,
  );
  const removeEvents = database.prepare(
    `DELETE FROM event WHERE (scope, day, id) IN
       (SELECT scope, day, id FROM event WHERE scope = :scope LIMIT :limit)`,
  );
  const selectDays = database.prepare('SELECT * FROM day_count WHERE scope = :scope LIMIT :limit');
  const removeDay = database.prepare('DELETE FROM day_count WHERE scope = :scope AND day = :day');
  const subtractDay = database.prepare(
    `UPDATE day_count SET ${subtract(COUNTS)} WHERE scope = :organisation AND day = :day`,
  );
  const selectQueryDays = database.prepare(
    `SELECT query_day.*, text FROM query_day JOIN counted_query ON id = query
     WHERE query_day.scope = :scope LIMIT :limit`,
  );
  const removeQueryDay = database.prepare(
    'DELETE FROM query_day WHERE scope = :scope AND query = :query AND day = :day',
  );
  const selectQuery = database.prepare('SELECT id FROM counted_query WHERE scope = :scope AND text = :text');
  const subtractQueryDay = database.prepare(
    `UPDATE query_day SET ${subtract(QUERY_COUNTS)} WHERE scope = :scope AND query = :query AND day = :day`,
  );
  const removeZeros = database.prepare(
    `DELETE FROM query_day WHERE scope = :scope AND query = :query AND day = :day AND ${allZero(QUERY_COUNTS)}`,
  );
  const removeUnused = database.prepare(
    `DELETE FROM counted_query WHERE id = :query
     AND NOT EXISTS (SELECT 1 FROM query_day WHERE query = :query)`,
  );
  const removeVisitors = database.prepare(
    'DELETE FROM query_visitor WHERE scope = :scope AND query = :query AND day = :day',
  );
  const removeScope = database.prepare('DELETE FROM event_scope WHERE id = :scope');
  const expireEvents = database.prepare(
    `DELETE FROM event WHERE (scope, day, id) IN
       (SELECT scope, day, event.id FROM event_scope JOIN event ON scope = event_scope.id AND day < :before LIMIT :limit)`,
  );
  const expireVisitors = database.prepare(
    `DELETE FROM query_visitor WHERE (day, scope, query, visitor) IN
       (SELECT day, scope, query, visitor FROM query_visitor WHERE day < :before LIMIT :limit)`,
  );
  const expireDays = database.prepare('DELETE FROM day_count WHERE day < :before');
  const expiredQueryDays = database.prepare(
    `SELECT scope, query, day FROM query_day WHERE scope = :scope AND day < :before LIMIT :limit`,
  );
  const scopes = database.prepare('SELECT id FROM event_scope');

  const removeQueryDays = (rows: readonly QueryDay[], organisation: number): void => {
    for (const { scope, query, day, text, searches, emptySearches, clicks, refusedChats } of rows) {
      const total = selectQuery.get({ scope: organisation, text })?.id;
      if (total !== undefined) {
        const key = { scope: organisation, query: Number(total), day };
        subtractQueryDay.run({ ...key, searches, emptySearches, clicks, refusedChats });
        removeZeros.run(key);
        removeUnused.run({ query: key.query });
      }
      removeVisitors.run({ scope, query, day });
      removeQueryDay.run({ scope, query, day });
      removeUnused.run({ query });
    }
  };

  const expireQueryDays = (before: number, limit: number): number => {
    let removed = 0;
    for (const { id } of scopes.all()) {
      const rows = expiredQueryDays.all({ scope: Number(id), before, limit: limit - removed }) as Row<
        Pick<QueryDay, 'scope' | 'query' | 'day'>
      >[];
      for (const row of rows) {
        removeQueryDay.run(row);
        removeUnused.run({ query: row.query });
      }
      removed += rows.length;
      if (removed >= limit) break;
    }
    return removed;
  };

  return {
    removeSite(siteId: string, limit: number): boolean {
      const found = siteScope.get({ siteId });
      if (found === undefined) return true;
      const scope = Number(found.scope);
      const organisation = Number(found.organisation);
      if (Number(removeEvents.run({ scope, limit }).changes) === limit) return false;
      const queryDays = selectQueryDays.all({ scope, limit }) as QueryDay[];
      removeQueryDays(queryDays, organisation);
      if (queryDays.length === limit) return false;
      const days = selectDays.all({ scope, limit }) as Row<Counts & { readonly scope: number; readonly day: number }>[];
      for (const { scope: _, day, ...counts } of days) {
        subtractDay.run({ organisation, day, ...counts });
        removeDay.run({ scope, day });
      }
      if (days.length === limit) return false;
      removeScope.run({ scope });
      return true;
    },

    removeExpired(today: string, limit: number): boolean {
      const day = dayNumber(today);
      const events = Number(expireEvents.run({ before: day - EVENT_DAYS, limit }).changes);
      // The day before is kept, because its events may arrive late.
      const visitors = Number(expireVisitors.run({ before: day - 1, limit }).changes);
      const queryDays = expireQueryDays(day - COUNT_DAYS, limit);
      expireDays.run({ before: day - COUNT_DAYS });
      return events < limit && visitors < limit && queryDays < limit;
    },
  };
}
