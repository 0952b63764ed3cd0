import type { LoggedEvent } from './logged-event.ts';
import type { Counts, QueryCounts } from './rules/event-counts.ts';

/** Days in UTC, `YYYY-MM-DD`, both included. */
export type Period = { readonly from: string; readonly to: string };

/** An organisation with all its sites and groups, or one of its sites. */
export type EventScope = { readonly orgId: string; readonly siteId?: string | undefined };

export type DayCounts = Counts & { readonly day: string };
export type SiteCounts = Counts & { readonly siteId: string };
export type CountedQuery = QueryCounts & { readonly query: string };

/** The count by which a list of queries is sorted. */
export type QueryOrder = 'searches' | 'emptySearches' | 'refusedChats';

/** Number of days for which events, and the daily counts and queries made from them, are kept. */
export const EVENT_DAYS = 90;
export const COUNT_DAYS = 761; // 25 months

/** A query is suggested only if at least this many visitors searched for it within a day. */
export const MIN_VISITORS = 5;

/**
 * Maximum number of queries that are counted by query, per day, of each site and of an organisation's groups. Further
 * queries only count in the day's totals, at the latest three days after the day has ended, unless `MIN_VISITORS`
 * visitors searched for them within a day.
 */
export const QUERIES_OF_DAY = 10_000;

/**
 * The log of what visitors did, with counts. Reads see an event at most 5 s after `append` has returned. Methods throw
 * `UnavailableError` (domain/errors.ts). Reads of any number of days return within a second.
 */
export interface EventLog extends EventReader {
  /**
   * Appends any number of events. After an error some may be appended: append the same events again. An event with the
   * same id and time counts once, however often it is appended.
   */
  append(events: readonly LoggedEvent[]): Promise<void>;

  /** Removes up to about `limit` events of a site, with their counts. Returns whether none is left. */
  removeSite(siteId: string, limit: number): Promise<boolean>;

  /**
   * Removes up to about `limit` events that are older than `EVENT_DAYS`, then counts older than `COUNT_DAYS`. Returns
   * whether none is left.
   */
  removeExpired(today: string, limit: number): Promise<boolean>;
}

/** The reading half of the event log, for analytics and suggestions. */
export interface EventReader {
  /** Returns the days with events, oldest first. */
  days(scope: EventScope, period: Period): Promise<readonly DayCounts[]>;

  /** Returns the organisation's sites with events, in any order. */
  sites(orgId: string, period: Period): Promise<readonly SiteCounts[]>;

  /**
   * Returns the queries with the highest count, highest first, then in the order of their text; `limit` is at most
   * 1,000. Counts are exact. If thousands of queries are nearly as frequent as the last ones of the list, others of
   * them may be listed.
   */
  queries(
    scope: EventScope,
    period: Period,
    options: { readonly by: QueryOrder; readonly limit: number },
  ): Promise<readonly CountedQuery[]>;

  /**
   * Returns the most frequent queries of a site that start with the prefix and for which `MIN_VISITORS` visitors
   * searched on one of the days. Omits queries that never had a result.
   */
  frequentQueries(
    scope: EventScope & { readonly siteId: string },
    period: Period,
    options: { readonly prefix: string; readonly limit: number },
  ): Promise<readonly string[]>;
}
