import type { DatabaseSync } from 'node:sqlite';
import { COUNTS, type Counts, QUERY_COUNTS } from '../../../core/figures/counts.ts';
import { dayNumber, dayOf, dayOfNumber } from '../../../core/figures/days.ts';
import { keptBody, type LoggedEvent } from '../../../core/figures/logged-event.ts';
import type {
  CountedQuery,
  DayCounts,
  EventScope,
  Period,
  QueryOrder,
  SiteCounts,
} from '../../../core/ports/event-log.ts';
import { eventRemoval } from './event-removal.ts';
import { eventRollUp } from './event-roll-up.ts';
import { prefixEnd } from './prefix-end.ts';
import { type DayTop, topCandidates } from './top-candidates.ts';

/** The most frequent queries that are read of each day: at first few, which is nearly always enough. */
const FEW_OF_DAY = 50;
/** For a month; less each for a longer period. */
const MOST_OF_DAY = 1000;
const MOST_OF_DAYS = 30_000;
/** The days of queries whose counts are summed. If many queries are nearly as frequent, a close one may be left out. */
const MOST_SUMMED = 90_000;

const sums = (names: readonly string[], from = ''): string =>
  names.map((name) => `sum(${from}${name}) AS ${name}`).join(', ');

/** `EventLog` over SQLite: the events, and counts by day that are written with them in the same transaction. */
export function eventLogStore(database: DatabaseSync) {
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
  const rollUp = eventRollUp(database);

  const scopeOf = ({ orgId, siteId = '' }: EventScope): number | undefined => {
    const found = findScope.get({ orgId, siteId })?.id;
    return found === undefined ? undefined : Number(found);
  };
  /** Finds or adds scopes, each once. */
  const scopeFinder = () => {
    const ids = new Map<string, number>();
    return (orgId: string, siteId = ''): number => {
      const name = `${orgId} ${siteId}`;
      const found = ids.get(name) ?? scopeOf({ orgId, siteId });
      const id = found ?? Number(addScope.run({ orgId, siteId }).lastInsertRowid);
      ids.set(name, id);
      return id;
    };
  };

  return {
    append(events: readonly LoggedEvent[]): void {
      const scopeId = scopeFinder();
      const added = events.flatMap((event) => {
        const { id, at, orgId, siteId } = event;
        const organisation = scopeId(orgId);
        const scope = siteId === undefined ? organisation : scopeId(orgId, siteId);
        const day = dayNumber(dayOf(at));
        const isNew = insert.run({ scope, day, id, body: keptBody(event) }).changes === 1;
        const scopes = scope === organisation ? [scope] : [scope, organisation];
        return isNew ? [{ event, day, scopes }] : [];
      });
      rollUp(added);
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

    ...eventRemoval(database),
  };
}

/** Greater than any text: SQLite sorts blobs after text. */
const BEYOND_TEXT = new Uint8Array(0);

const numbersOf = ({ from, to }: Period) => ({ from: dayNumber(from), to: dayNumber(to) });

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
