import type { DatabaseSync } from 'node:sqlite';
import { COUNTS, type Counts, countedQuery, countsOf, QUERY_COUNTS, sumOf } from '../../core/figures/counts.ts';
import { dayNumber, dayOf, dayOfNumber } from '../../core/figures/days.ts';
import { bodyWithoutTexts, keptBody, type LoggedEvent } from '../../core/figures/logged-event.ts';
import {
  COUNT_DAYS,
  type CountedQuery,
  type DayCounts,
  EVENT_DAYS,
  type EventLog,
  type EventReader,
  type EventScope,
  MIN_VISITORS,
  type Period,
  type QueryOrder,
  type SiteCounts,
} from '../../core/ports/event-log.ts';
import { batches } from '../batches.ts';
import { engine } from './engine/current.ts';
import { DAY_LIMITS, dayRoom } from './engine/day-room.ts';
import { BEYOND_TEXT, prefixEnd } from './engine/prefix-end.ts';
import type { Reads } from './engine/stores.ts';
import { type DayTop, topCandidates } from './engine/top-candidates.ts';
import { eventBuffer } from './event-buffer.ts';

/** Events of one call. A search may wait for it. */
const BATCH = 50;
/** The most frequent queries that are read of each day: at first few, which is nearly always enough. */
const FEW_OF_DAY = 50;
/** Most queries read of each day. A period longer than a month has fewer of each. */
const MOST_OF_DAY = 1000;
const MOST_OF_DAYS = 30_000;
/** The days of queries whose counts are summed. If many queries are nearly as frequent, a close one may be left out. */
const MOST_SUMMED = 90_000;

const sums = (names: readonly string[], from = ''): string =>
  names.map((name) => `sum(${from}${name}) AS ${name}`).join(', ');

const addTo = (table: string, key: string, names: readonly (keyof Counts)[]): string =>
  `INSERT INTO ${table} (${key}, ${names.join(', ')})
   VALUES (${[...key.split(', '), ...names].map((name) => `:${name}`).join(', ')})
   ON CONFLICT DO UPDATE SET ${names.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`;

/** Deletes at most `:limit` rows, so that no search waits long. */
const deleteSome = (table: string, key: string, from: string): string =>
  `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${from} LIMIT :limit)`;

/**
 * The events, and their counts by day and by query. What is counted of a site is counted of its organisation, and
 * taken from it again, by triggers (event-schema.ts).
 */
export function eventLogStore(database: DatabaseSync, limits = DAY_LIMITS) {
  const findScope = database.prepare('SELECT id FROM event_scope WHERE org_id = :orgId AND site_id = :siteId');
  const addScope = database.prepare('INSERT INTO event_scope (org_id, site_id) VALUES (:orgId, :siteId)');
  const insert = database.prepare('INSERT OR IGNORE INTO event VALUES (:scope, :day, :id, :body)');
  const selectDays = database.prepare(
    `SELECT day, ${COUNTS.join(', ')} FROM day_count WHERE scope = :scope AND day BETWEEN :from AND :to ORDER BY day`,
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
    'SELECT id, frequent_on IS NOT NULL AS isFrequent FROM counted_query WHERE scope = :scope AND text = :text',
  );
  const findOnDay = database.prepare('SELECT 1 FROM query_day WHERE scope = :scope AND day = :day AND query = :query');
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
  const removals = ['event', 'query_day', 'day_room', 'day_count'].map((table) => {
    const key = { event: 'scope, day, id', query_day: 'scope, day, query' }[table] ?? 'scope, day';
    return {
      ofScope: database.prepare(deleteSome(table, key, `${table} WHERE scope = :scope`)),
      before: database.prepare(
        deleteSome(table, key, `(SELECT id AS of FROM event_scope) JOIN ${table} ON scope = of AND day < :before`),
      ),
      days: table === 'event' ? EVENT_DAYS : COUNT_DAYS,
    };
  });
  const room = dayRoom(database, limits);
  const removeScope = database.prepare('DELETE FROM event_scope WHERE id = ?');
  const expireVisitors = database.prepare(
    deleteSome('query_visitor', 'day, scope, query, visitor', 'query_visitor WHERE day < :before'),
  );

  const scopeOf = ({ orgId, siteId = '' }: EventScope): number | undefined => {
    const found = findScope.get({ orgId, siteId })?.id;
    return found === undefined ? undefined : Number(found);
  };
  const scopeIn = (scope: EventScope): number => {
    const { orgId, siteId = '' } = scope;
    return scopeOf(scope) ?? Number(addScope.run({ orgId, siteId }).lastInsertRowid);
  };
  /** The id under which a query counts on a day; undefined if it does not (`QUERIES_OF_DAY`). */
  const queryIn = (scope: number, day: number, text: string): number | undefined => {
    const { id, isFrequent } = findQuery.get({ scope, text }) ?? {};
    const query = id === undefined ? undefined : Number(id);
    if (query !== undefined && (isFrequent || findOnDay.get({ scope, day, query }))) return query;
    if (!room.takeQuery(scope, day)) return undefined;
    return query ?? Number(addQuery.run({ scope, text }).lastInsertRowid);
  };

  type Added = { readonly event: LoggedEvent; readonly scope: number; readonly day: number };
  const countQuery = ({ event, scope, day }: Added): void => {
    const text = countedQuery(event);
    if (text === undefined) return;
    const { searches, emptySearches, clicks, refusedChats } = sumOf([countsOf(event)]);
    const query = queryIn(scope, day, text);
    if (query === undefined) return;
    addToQuery.run({ scope, day, query, searches, emptySearches, clicks, refusedChats });
    if (event.type !== 'search' || event.visitor === undefined) return;
    const isNew = addVisitor.run({ day, scope, query, visitor: event.visitor }).changes === 1;
    if (isNew) setFrequent.run({ day, scope, query });
  };

  return {
    append(events: readonly LoggedEvent[]): void {
      const placed = events.map((event): Added => {
        const { at, orgId, siteId } = event;
        const organisation = scopeIn({ orgId });
        const scope = siteId === undefined ? organisation : scopeIn({ orgId, siteId });
        return { event, scope, day: dayNumber(dayOf(at)) };
      });
      const added: Added[] = [];
      for (const ofDay of Map.groupBy(placed, ({ scope, day }) => `${scope} ${day}`).values()) {
        const [{ scope, day }] = ofDay as [Added];
        const toBody = room.hasText(scope, day) ? keptBody : bodyWithoutTexts;
        const fresh = ofDay.filter(
          ({ event }) => insert.run({ scope, day, id: event.id, body: toBody(event) }).changes,
        );
        if (fresh.length === 0) continue;
        room.takeText(scope, day, fresh.map(({ event }) => toBody(event)).join('').length);
        addToDay.run({ scope, day, ...sumOf(fresh.map(({ event }) => countsOf(event))) });
        added.push(...fresh);
      }
      for (const each of added) countQuery(each);
    },

    days(scope: EventScope, period: Period): readonly DayCounts[] {
      const rows = selectDays.all({ scope: scopeOf(scope) ?? null, ...numbersOf(period) });
      return rows.map(({ day, ...counts }) => ({ ...(counts as Counts), day: dayOfNumber(Number(day)) }));
    },

    sites: (orgId: string, period: Period): readonly SiteCounts[] =>
      selectSites.all({ orgId, ...numbersOf(period) }) as SiteCounts[],

    queries(
      scope: EventScope,
      period: Period,
      { by, limit }: { readonly by: QueryOrder; readonly limit: number },
    ): readonly CountedQuery[] {
      const id = scopeOf(scope);
      if (id === undefined) return [];
      const { from, to } = numbersOf(period);
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
      const among = (ofDay: number) => {
        const tops = numbers.map((day): DayTop => {
          const queries = top[by].all({ scope: id, day, limit: ofDay }) as DayTop['queries'][number][];
          return { queries, isWhole: queries.length < ofDay };
        });
        return topCandidates(tops, limit, Math.max(limit, Math.floor(MOST_SUMMED / numbers.length)));
      };
      const most = Math.min(MOST_OF_DAY, Math.floor(MOST_OF_DAYS / numbers.length));
      const few = among(Math.min(Math.max(FEW_OF_DAY, limit), most));
      const { queries } = few.isComplete || limit >= most ? few : among(most);
      const counted = queries.map((query) => selectQuery.get({ query, from, to }) as CountedQuery);
      return counted.toSorted((one, other) => other[by] - one[by] || compare(one.query, other.query)).slice(0, limit);
    },

    frequentQueries(
      scope: EventScope,
      period: Period,
      { prefix, limit }: { readonly prefix: string; readonly limit: number },
    ): readonly string[] {
      const end = prefixEnd(prefix) ?? BEYOND_TEXT;
      const found = selectFrequent.all({ scope: scopeOf(scope) ?? null, prefix, end, limit, ...numbersOf(period) });
      return found.map(({ text }) => String(text));
    },

    removeSite(siteId: string, limit: number): boolean {
      const scope = Number(scopesOfSite.get(siteId)?.id ?? 0);
      for (const { ofScope } of removals) if (Number(ofScope.run({ scope, limit }).changes) === limit) return false;
      removeScope.run(scope);
      return true;
    },

    removeExpired(today: string, limit: number): boolean {
      const day = dayNumber(today);
      // The day before is kept, because its events may arrive late.
      const visitors = expireVisitors.run({ before: day - 1, limit }).changes;
      const removed = removals.map(({ before, days }) => before.run({ before: day - days, limit }).changes);
      return [visitors, ...removed].every((rows) => Number(rows) < limit);
    },
  };
}

const numbersOf = ({ from, to }: Period) => ({ from: dayNumber(from), to: dayNumber(to) });

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Waits for the events of this thread that are still to be appended. */
async function readEvents<T>(from: (log: Reads['eventLog']) => T): Promise<T> {
  await eventBuffer.flush();
  return engine().read(({ eventLog }) => from(eventLog));
}

export const eventLog: EventLog = {
  async append(events) {
    for (const batch of batches(events, BATCH)) await engine().call('eventLog', 'append', batch);
  },
  days: async (scope, period) => readEvents((log) => log.days(scope, period)),
  sites: async (orgId, period) => readEvents((log) => log.sites(orgId, period)),
  queries: async (scope, period, options) => readEvents((log) => log.queries(scope, period, options)),
  frequentQueries: async (scope, period, options) =>
    engine().read(({ eventLog }) => eventLog.frequentQueries(scope, period, options)),
  removeSite: async (siteId, limit) => engine().call('eventLog', 'removeSite', siteId, limit),
  removeExpired: async (today, limit) => engine().call('eventLog', 'removeExpired', today, limit),
};

export const eventReader: EventReader = eventLog;
