import {
  COUNT_DAYS,
  type CountedQuery,
  type EventLog,
  type EventScope,
  MIN_VISITORS,
  type Period,
} from '../../../lambdas/domain/ports/event-log.ts';
import type { LoggedEvent } from '../../../lambdas/domain/ports/logged-event.ts';
import { dayNumber, dayOf } from '../../../lambdas/domain/ports/rules/days.ts';
import { countedQuery, countsOf, QUERY_COUNTS, sumOf } from '../../../lambdas/domain/ports/rules/event-counts.ts';

const dayOfEvent = ({ at }: LoggedEvent): string => dayOf(at);

/** `EventLog` in memory. It keeps events for as long as counts, and counts them when it is read. */
export function memoryEventLog(): EventLog {
  const events = new Map<string, LoggedEvent>();

  const eventsOf = ({ orgId, siteId }: EventScope, { from, to }: Period): readonly LoggedEvent[] =>
    [...events.values()].filter(
      (event) =>
        event.orgId === orgId &&
        (siteId === undefined || event.siteId === siteId) &&
        dayOf(event.at) >= from &&
        dayOf(event.at) <= to,
    );

  const queriesOf = (found: readonly LoggedEvent[], by: (typeof QUERY_COUNTS)[number]): readonly CountedQuery[] => {
    const byQuery = Map.groupBy(found, countedQuery);
    byQuery.delete(undefined);
    const counted = [...byQuery].map(([query = '', ofQuery]) => {
      const counts = sumOf(ofQuery.map(countsOf));
      return { query, ...Object.fromEntries(QUERY_COUNTS.map((name) => [name, counts[name]])) } as CountedQuery;
    });
    return counted
      .filter((query) => query[by] > 0)
      .sort((one, other) => other[by] - one[by] || (one.query < other.query ? -1 : 1));
  };

  const remove = (isRemoved: (event: LoggedEvent) => boolean, limit: number): boolean => {
    const removed = [...events].filter(([, event]) => isRemoved(event));
    for (const [key] of removed.slice(0, limit)) events.delete(key);
    return removed.length <= limit;
  };

  return {
    append: async (appended) => {
      for (const event of appended) events.set(`${event.at} ${event.id}`, event);
    },
    removeSite: async (siteId, limit) => remove((event) => event.siteId === siteId, limit),
    removeExpired: async (today, limit) => {
      const oldest = dayNumber(today) - COUNT_DAYS;
      return remove((event) => dayNumber(dayOf(event.at)) < oldest, limit);
    },
    days: async (scope, period) =>
      [...Map.groupBy(eventsOf(scope, period), dayOfEvent)]
        .map(([day, ofDay]) => ({ day, ...sumOf(ofDay.map(countsOf)) }))
        .sort((one, other) => (one.day < other.day ? -1 : 1)),
    sites: async (orgId, period) =>
      [...Map.groupBy(eventsOf({ orgId }, period), ({ siteId }) => siteId)].flatMap(([siteId, ofSite]) =>
        siteId === undefined ? [] : [{ siteId, ...sumOf(ofSite.map(countsOf)) }],
      ),
    queries: async (scope, period, { by, limit }) => queriesOf(eventsOf(scope, period), by).slice(0, limit),
    frequentQueries: async (scope, period, { prefix, limit }) => {
      const found = eventsOf(scope, period);
      const hadVisitors = ({ query }: CountedQuery) => {
        const searches = found.filter((event) => event.type === 'search' && event.query === query);
        return [...Map.groupBy(searches, dayOfEvent).values()].some((ofDay) => visitorsOf(ofDay).size >= MIN_VISITORS);
      };
      return queriesOf(found, 'searches')
        .filter((query) => query.query.startsWith(prefix) && query.emptySearches < query.searches && hadVisitors(query))
        .map(({ query }) => query)
        .slice(0, limit);
    },
  };
}

const visitorsOf = (events: readonly LoggedEvent[]): ReadonlySet<string> =>
  new Set(events.flatMap((event) => ('visitor' in event && event.visitor) || []));
