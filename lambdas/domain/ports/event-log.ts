import type { LoggedEvent } from './logged-event.ts';
import type { Counts, QueryCounts } from './rules/event-counts.ts';

/** Days in UTC, `YYYY-MM-DD`, both included. */
export type Period = { readonly from: string; readonly to: string };

/** An organisation with all of its sites and groups, or one of its sites. */
export type EventScope = { readonly orgId: string; readonly siteId?: string | undefined };

export type DayCounts = Counts & { readonly day: string };
export type SiteCounts = Counts & { readonly siteId: string };
export type CountedQuery = QueryCounts & { readonly query: string };

/** What a list of queries is sorted by. */
export type QueryOrder = 'searches' | 'emptySearches' | 'refusedChats';

/** For how long events are kept, and the daily counts and queries that are made of them. */
export const EVENT_DAYS = 90;
export const COUNT_DAYS = 761; // 25 months

/** A query joins the suggestions only if this many visitors searched for it within a day. */
export const MIN_VISITORS = 5;

/**
 * Most queries of one day that are counted by query, of each site and of an organisation's groups. Further ones count
 * in the day's totals alone, at the latest once the day is over for three days, unless `MIN_VISITORS` visitors searched
 * for them within a day.
 */
export const QUERIES_OF_DAY = 10_000;

/**
 * What visitors did, and how often. Reads see an event at the latest 5 s after `append` has answered. Methods throw
 * `UnavailableError` (domain/errors.ts); reads of any number of days answer within a second.
 */
export interface EventLog extends EventReader {
  /**
   * Appends any number of events. After an error some may be appended: append the same again. An event counts once,
   * however often it is appended with its id and time.
   */
  append(events: readonly LoggedEvent[]): Promise<void>;

  /** Removes up to about `limit` events of a site, with what was counted of them. Answers whether none is left. */
  removeSite(siteId: string, limit: number): Promise<boolean>;

  /**
   * Removes up to about `limit` events that are older than `EVENT_DAYS`, then counts older than `COUNT_DAYS`. Answers
   * whether none is left.
   */
  removeExpired(today: string, limit: number): Promise<boolean>;
}

/** What figures and suggestions are read from. */
export interface EventReader {
  /** The days on which something happened, oldest first. */
  days(scope: EventScope, period: Period): Promise<readonly DayCounts[]>;

  /** The organisation's sites on which something happened, in any order. */
  sites(orgId: string, period: Period): Promise<readonly SiteCounts[]>;

  /**
   * The queries with the highest count, highest first, then in the order of their text; `limit` is at most 1,000.
   * Counts are exact. If thousands of queries are nearly as frequent as the last ones of the list, others of them may
   * be listed.
   */
  queries(
    scope: EventScope,
    period: Period,
    options: { readonly by: QueryOrder; readonly limit: number },
  ): Promise<readonly CountedQuery[]>;

  /**
   * The most frequent queries of a site that start with the prefix, for which `MIN_VISITORS` visitors searched within
   * one of the days. Queries that never had a result are left out.
   */
  frequentQueries(
    scope: EventScope & { readonly siteId: string },
    period: Period,
    options: { readonly prefix: string; readonly limit: number },
  ): Promise<readonly string[]>;
}
