import type { DatabaseSync } from 'node:sqlite';
import {
  COUNT_DAYS,
  type CountedQuery,
  type DayCounts,
  EVENT_DAYS,
  type EventLog,
  type EventScope,
  MIN_VISITORS,
  type Period,
  type QueryOrder,
  type SiteCounts,
} from '../../lambdas/domain/ports/event-log.ts';
import type { LoggedEvent } from '../../lambdas/domain/ports/logged-event.ts';
import { dayNumber, dayOf } from '../../lambdas/domain/ports/rules/days.ts';
import {
  COUNTS,
  type Counts,
  countedQuery,
  countsOf,
  NO_COUNTS,
  QUERY_COUNTS,
} from '../../lambdas/domain/ports/rules/event-counts.ts';
import { bodyWithoutTexts, serializeEvent } from '../../lambdas/domain/ports/rules/stored-event.ts';
import { DAY_LIMITS, dailyEventQuota } from './daily-event-quota.ts';
import { BEYOND_TEXT, prefixEnd } from './prefix-end.ts';
import type { SyncPort } from './sync-port.ts';
import { type DayTop, topCandidates } from './top-candidates.ts';

/** The number of queries first read of each day, the most frequent ones. It is nearly always enough. */
const FEW_OF_DAY = 50;
/**
 * The most queries read of each day, and of all days of a period. A period longer than a month reads fewer of each day.
 */
const MAX_OF_DAY = 1000;
const MAX_OF_DAYS = 30_000;
/**
 * The most daily counts that are summed. If many queries are nearly equally frequent, one close to the limit may be
 * left out.
 */
const MAX_SUMMED = 90_000;

const sums = (names: readonly string[]): string => names.map((name) => `sum(${name}) AS ${name}`).join(', ');

const addTo = (table: string, key: string, names: readonly (keyof Counts)[]): string =>
  `INSERT INTO ${table} (${key}, ${names.join(', ')})
   VALUES (${[...key.split(', '), ...names].map((name) => `:${name}`).join(', ')})
   ON CONFLICT DO UPDATE SET ${names.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`;

/** Deletes at most `:limit` rows, so that no other write waits long. */
const deleteSome = (table: string, key: string, from: string): string =>
  `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${from} LIMIT :limit)`;

/**
 * Stores events, and their counts by day and by query. Triggers (event-schema.ts) add a site's counts to its
 * organisation's, and subtract them when they are removed.
 */
export function eventLogStore(database: DatabaseSync, limits = DAY_LIMITS) {
  const findScope = database.prepare('SELECT id FROM event_scope WHERE org_id = :orgId AND site_id = :siteId');
  const addScope = database.prepare('INSERT INTO event_scope (org_id, site_id) VALUES (:orgId, :siteId)');
  const findEvent = database.prepare('SELECT 1 FROM event WHERE scope = :scope AND day = :day AND id = :id');
  const insertEvent = database.prepare('INSERT INTO event VALUES (:scope, :day, :id, :body)');
  const selectDays = database.prepare(
    `SELECT date(day * 86400, 'unixepoch') AS day, ${COUNTS.join(', ')} FROM day_count AS c
     WHERE scope = :scope AND c.day BETWEEN :from AND :to ORDER BY c.day`,
  );
  const selectSites = database.prepare(
    `SELECT site_id AS siteId, ${sums(COUNTS)} FROM event_scope JOIN day_count ON scope = id
     WHERE org_id = :orgId AND site_id <> '' AND day BETWEEN :from AND :to GROUP BY id`,
  );
  const selectTop = (by: QueryOrder) =>
    database.prepare(
      `SELECT query, ${by} AS count FROM query_day WHERE scope = :scope AND day = :day AND ${by} > 0
       ORDER BY ${by} DESC LIMIT :limit`,
    );
  const top = {
    searches: selectTop('searches'),
    emptySearches: selectTop('emptySearches'),
    refusedChats: selectTop('refusedChats'),
  } satisfies Record<QueryOrder, unknown>;
  const selectQuery = database.prepare(
    `SELECT (SELECT text FROM counted_query WHERE id = :query) AS query, ${sums(QUERY_COUNTS)}
     FROM query_day INDEXED BY query_day_query WHERE query = :query AND day BETWEEN :from AND :to`,
  );
  const selectFrequent = database.prepare(
    `SELECT text, sum(searches) AS searches FROM counted_query AS q
     CROSS JOIN query_day AS d INDEXED BY query_day_query ON d.query = q.id AND day BETWEEN :from AND :to
     WHERE q.scope = :scope AND text >= :prefix AND text < :end AND frequent_on BETWEEN :from AND :to
     GROUP BY q.id HAVING sum(searches) > sum(emptySearches) ORDER BY searches DESC, text LIMIT :limit`,
  );
  const addToDay = database.prepare(addTo('day_count', 'scope, day', COUNTS));
  const findQuery = database.prepare(
    `SELECT id, frequent_on IS NOT NULL OR EXISTS
       (SELECT 1 FROM query_day AS d WHERE d.scope = q.scope AND day = :day AND query = id) AS isCounted
     FROM counted_query AS q WHERE scope = :scope AND text = :text`,
  );
  const addQuery = database.prepare('INSERT INTO counted_query (scope, text) VALUES (:scope, :text)');
  const addToQuery = database.prepare(addTo('query_day', 'scope, day, query', QUERY_COUNTS));
  const addVisitor = database.prepare(
    `INSERT OR IGNORE INTO query_visitor SELECT :day, :scope, :query, :visitor
     WHERE NOT EXISTS (SELECT 1 FROM counted_query WHERE id = :query AND frequent_on >= :day)`,
  );
  const setFrequent = database.prepare(
    `UPDATE counted_query SET frequent_on = :day WHERE id = :query AND ${MIN_VISITORS} = (SELECT count(*) FROM
       (SELECT 1 FROM query_visitor WHERE (day, scope, query) = (:day, :scope, :query) LIMIT ${MIN_VISITORS}))`,
  );
  const scopesOfSite = database.prepare('SELECT id FROM event_scope WHERE site_id = ?');
  const removals = [
    { table: 'event', key: 'scope, day, id', days: EVENT_DAYS },
    { table: 'query_day', key: 'scope, day, query', days: COUNT_DAYS },
    { table: 'day_room', key: 'scope, day', days: COUNT_DAYS },
    { table: 'day_count', key: 'scope, day', days: COUNT_DAYS },
  ].map(({ table, key, days }) => ({
    ofScope: database.prepare(deleteSome(table, key, `${table} WHERE scope = :scope`)),
    before: database.prepare(
      deleteSome(table, key, `(SELECT id AS of FROM event_scope) JOIN ${table} ON scope = of AND day < :before`),
    ),
    days,
  }));
  const room = dailyEventQuota(database, limits);
  const removeScope = database.prepare('DELETE FROM event_scope WHERE id = ?');
  const expireVisitors = database.prepare(
    deleteSome('query_visitor', 'day, scope, query, visitor', 'query_visitor WHERE day < :before'),
  );

  const scopeOf = ({ orgId, siteId = '' }: EventScope) =>
    (findScope.get({ orgId, siteId })?.id ?? null) as number | null;
  /**
   * Returns the id of a scope, which it creates if necessary. For a site it also creates the organisation's, to which
   * the site's counts are added.
   */
  const scopeIn = ({ orgId, siteId }: EventScope): number => {
    if (siteId !== undefined) scopeIn({ orgId });
    return scopeOf({ orgId, siteId }) ?? Number(addScope.run({ orgId, siteId: siteId ?? '' }).lastInsertRowid);
  };
  /** Returns the id under which a query counts on a day. Undefined if it does not count (`QUERIES_OF_DAY`). */
  const queryIn = (scope: number, day: number, text: string): number | undefined => {
    const found = findQuery.get({ scope, day, text });
    if (found?.isCounted) return Number(found.id);
    if (!room.takeQuery(scope, day)) return undefined;
    return Number(found?.id ?? addQuery.run({ scope, text }).lastInsertRowid);
  };

  const countQuery = (event: LoggedEvent, scope: number, day: number): void => {
    const text = countedQuery(event);
    const query = text === undefined ? undefined : queryIn(scope, day, text);
    if (query === undefined) return;
    const { searches = 0, emptySearches = 0, clicks = 0, refusedChats = 0 } = countsOf(event);
    addToQuery.run({ scope, day, query, searches, emptySearches, clicks, refusedChats });
    if (event.type !== 'search' || event.visitor === undefined) return;
    const isNew = addVisitor.run({ day, scope, query, visitor: event.visitor }).changes === 1;
    if (isNew) setFrequent.run({ day, scope, query });
  };

  return {
    append(events) {
      for (const event of events) {
        const { id, at } = event;
        const scope = scopeIn(event);
        const day = dayNumber(dayOf(at));
        if (findEvent.get({ scope, day, id })) continue;
        const body = serializeEvent(event);
        const isKept = room.takeText(scope, day, body.length);
        insertEvent.run({ scope, day, id, body: isKept ? body : bodyWithoutTexts(event) });
        addToDay.run({ scope, day, ...NO_COUNTS, ...countsOf(event) });
        countQuery(event, scope, day);
      }
    },

    days: (scope, period) => selectDays.all({ scope: scopeOf(scope), ...numbersOf(period) }) as DayCounts[],

    sites: (orgId, period) => selectSites.all({ orgId, ...numbersOf(period) }) as SiteCounts[],

    queries(scope, period, { by, limit }) {
      const id = scopeOf(scope);
      const { from, to } = numbersOf(period);
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
      const among = (ofDay: number) => {
        const tops = numbers.map((day): DayTop => {
          const queries = top[by].all({ scope: id, day, limit: ofDay }) as DayTop['queries'][number][];
          return { queries, isWhole: queries.length < ofDay };
        });
        return topCandidates(tops, limit, Math.max(limit, Math.floor(MAX_SUMMED / numbers.length)));
      };
      const most = Math.min(MAX_OF_DAY, Math.floor(MAX_OF_DAYS / numbers.length));
      const few = among(Math.min(Math.max(FEW_OF_DAY, limit), most));
      const { queries } = few.isComplete || limit >= most ? few : among(most);
      const counted = queries.map((query) => selectQuery.get({ query, from, to }) as CountedQuery);
      return counted.toSorted((one, other) => other[by] - one[by] || compare(one.query, other.query)).slice(0, limit);
    },

    frequentQueries(scope, period, { prefix, limit }) {
      const end = prefixEnd(prefix) ?? BEYOND_TEXT;
      const found = selectFrequent.all({ scope: scopeOf(scope), prefix, end, limit, ...numbersOf(period) });
      return found.map(({ text }) => String(text));
    },

    removeSite(siteId, limit) {
      for (const { id } of scopesOfSite.all(siteId)) {
        const scope = Number(id);
        for (const { ofScope } of removals) if (Number(ofScope.run({ scope, limit }).changes) === limit) return false;
        removeScope.run(scope);
      }
      return true;
    },

    removeExpired(today, limit) {
      const day = dayNumber(today);
      // The previous day is kept, because its events may arrive late.
      const visitors = expireVisitors.run({ before: day - 1, limit }).changes;
      const removed = removals.map(({ before, days }) => before.run({ before: day - days, limit }).changes);
      return [visitors, ...removed].every((rows) => Number(rows) < limit);
    },
  } satisfies SyncPort<EventLog>;
}

const numbersOf = ({ from, to }: Period) => ({ from: dayNumber(from), to: dayNumber(to) });

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
