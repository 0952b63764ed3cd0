import type { DatabaseSync } from 'node:sqlite';
import { COUNTS, type Counts, countedQuery, countsOf, NO_COUNTS, QUERY_COUNTS } from '../../../core/figures/counts.ts';
import type { LoggedEvent } from '../../../core/figures/logged-event.ts';
import { MIN_VISITORS } from '../../../core/ports/event-log.ts';

type Sums = { -readonly [Name in keyof Counts]: number };
/** `scopes`: those for which it counts, by their ids, its own first. */
type DatedEvent = { readonly event: LoggedEvent; readonly day: number; readonly scopes: readonly number[] };

type OfDay = { readonly scope: number; readonly day: number; readonly sums: Sums };
type OfQuery = OfDay & { readonly text: string; readonly visitors: Set<string> };

const addUp = (names: readonly (keyof Counts)[]): string =>
  names.map((name) => `${name} = ${name} + excluded.${name}`).join(', ');
const parameters = (names: readonly string[]): string => names.map((name) => `:${name}`).join(', ');

/** Adds events to the counts of their days and queries. A batch is summed first, so that each row is written once. */
export function eventRollUp(database: DatabaseSync) {
  const addToDay = database.prepare(
    `INSERT INTO day_count (scope, day, ${COUNTS.join(', ')}) VALUES (:scope, :day, ${parameters(COUNTS)})
     ON CONFLICT DO UPDATE SET ${addUp(COUNTS)}`,
  );
  const findQuery = database.prepare('SELECT id FROM counted_query WHERE scope = :scope AND text = :text');
  const addQuery = database.prepare('INSERT INTO counted_query (scope, text) VALUES (:scope, :text)');
  const addToQuery = database.prepare(
    `INSERT INTO query_day (scope, day, query, ${QUERY_COUNTS.join(', ')})
     VALUES (:scope, :day, :query, ${parameters(QUERY_COUNTS)}) ON CONFLICT DO UPDATE SET ${addUp(QUERY_COUNTS)}`,
  );
  const isFrequent = database.prepare('SELECT 1 FROM counted_query WHERE id = :query AND frequent_on >= :day');
  const addVisitor = database.prepare('INSERT OR IGNORE INTO query_visitor VALUES (:day, :scope, :query, :visitor)');
  const countVisitors = database.prepare(
    `SELECT count(*) AS visitors FROM
       (SELECT 1 FROM query_visitor WHERE day = :day AND scope = :scope AND query = :query LIMIT ${MIN_VISITORS})`,
  );
  const setFrequent = database.prepare('UPDATE counted_query SET frequent_on = :day WHERE id = :query');

  const queryId = (scope: number, text: string): number => {
    const found = findQuery.get({ scope, text })?.id ?? addQuery.run({ scope, text }).lastInsertRowid;
    return Number(found);
  };

  const noteVisitors = ({ scope, day, visitors }: OfQuery, query: number): void => {
    if (visitors.size === 0 || isFrequent.get({ query, day })) return;
    for (const visitor of visitors) addVisitor.run({ day, scope, query, visitor });
    if (Number(countVisitors.get({ day, scope, query })?.visitors) >= MIN_VISITORS) setFrequent.run({ query, day });
  };

  return (events: readonly DatedEvent[]): void => {
    const { days, queries } = summed(events);
    for (const { scope, day, sums } of days) addToDay.run({ scope, day, ...sums });
    for (const ofQuery of queries) {
      const { scope, day, text, sums } = ofQuery;
      const query = queryId(scope, text);
      const { searches, emptySearches, clicks, refusedChats } = sums;
      addToQuery.run({ scope, query, day, searches, emptySearches, clicks, refusedChats });
      noteVisitors(ofQuery, query);
    }
  };
}

function summed(events: readonly DatedEvent[]): {
  readonly days: Iterable<OfDay>;
  readonly queries: Iterable<OfQuery>;
} {
  const days = new Map<string, OfDay>();
  const queries = new Map<string, OfQuery>();
  for (const { event, day, scopes } of events) {
    const text = countedQuery(event);
    for (const scope of scopes) {
      add(
        entry(days, `${scope} ${day}`, () => ({ scope, day, sums: { ...NO_COUNTS } })),
        event,
      );
      if (text === undefined) continue;
      const made = () => ({ scope, day, text, sums: { ...NO_COUNTS }, visitors: new Set<string>() });
      const ofQuery = entry(queries, `${scope} ${day} ${text}`, made);
      add(ofQuery, event);
      if (event.type === 'search' && event.visitor !== undefined && scope === scopes[0])
        ofQuery.visitors.add(event.visitor);
    }
  }
  return { days: days.values(), queries: queries.values() };
}

function add({ sums }: OfDay, event: LoggedEvent): void {
  for (const [name, count] of Object.entries(countsOf(event))) sums[name as keyof Counts] += count;
}

function entry<T>(map: Map<string, T>, key: string, make: () => T): T {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
