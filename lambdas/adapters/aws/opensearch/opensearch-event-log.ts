import { COUNTS, QUERY_COUNTS } from '../../../core/figures/counts.ts';
import { dayNumber, dayOf, dayOfNumber } from '../../../core/figures/days.ts';
import {
  COUNT_DAYS,
  type CountedQuery,
  EVENT_DAYS,
  type EventLog,
  type EventScope,
  MIN_VISITORS,
  type Period,
  type QueryOrder,
} from '../../../core/ports/event-log.ts';
import type { OpenSearchClient } from './client.ts';
import { countsIn, type EventIndex, ensureEventIndex, eventLines, eventsIn, stateOf } from './event-index.ts';
import {
  markLate,
  nextDay,
  readLateMark,
  readRolledUpTo,
  removeLateMark,
  rollUpDay,
  writeRolledUpTo,
} from './event-roll-up.ts';
import {
  type Bucket,
  bucketsOf,
  type Condition,
  eventsOrCounts,
  everyIndex,
  ofPart,
  ofScope,
  sumAggregations,
  sumsIn,
  within,
} from './event-search.ts';
import { deleteWhere, dropMonthsBefore, refreshEvents, writeLines } from './event-writes.ts';

/** Events that arrive later than this after their day are rolled up once more. */
const ROLLED_UP_AFTER_DAYS = 3;
const DAY_MS = 86_400_000;
/** Each index has one shard; this many of its queries are compared with those of the others. */
const SHARD_SIZE = 10_000;
const MAX_SITES = 10_000;
const MAX_SUGGESTED = 200;
/** The state moves once a day, and events stay after it for months: a copy may be old. */
const STATE_CACHE_MS = 60_000;

export type EventLogOptions = { readonly prefix?: string; readonly now?: () => number };

export function opensearchEventLog(
  client: OpenSearchClient,
  { prefix = '', now = Date.now }: EventLogOptions = {},
): EventLog {
  const index: EventIndex = { client, prefix };
  let ready: Promise<void> | undefined;
  let state: { readonly rolledUpTo: Promise<string | undefined>; readonly until: number } | undefined;

  /** Once per process, before its first call. */
  const prepared = (): Promise<void> => {
    ready ??= prepare(index).catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    return ready;
  };
  const rolledUpTo = async (): Promise<string | undefined> => {
    await prepared();
    if (state === undefined || state.until < now())
      state = { rolledUpTo: readRolledUpTo(index), until: now() + STATE_CACHE_MS };
    const read = state;
    return read.rolledUpTo.catch((error: unknown) => {
      if (state === read) state = undefined;
      throw error;
    });
  };
  const summed = async (filter: readonly Condition[], roll: 'day' | 'query', all: object): Promise<readonly Bucket[]> =>
    (await bucketsOf(index, everyIndex(index), [...filter, eventsOrCounts(await rolledUpTo(), roll)], all)).buckets;

  return {
    async append(events) {
      await prepared();
      await writeLines(
        index,
        events.map((event) => eventLines(index, event)),
      );
      const last = dayOf(now() - ROLLED_UP_AFTER_DAYS * DAY_MS);
      const late = new Set(events.map(({ at }) => dayOf(at)).filter((day) => day <= last));
      await markLate(index, [...late]);
    },

    async days(scope, period) {
      const terms = { field: 'day', size: COUNT_DAYS + EVENT_DAYS, order: { _key: 'asc' } };
      const found = await summed([...ofScope(scope), within(period)], 'day', { terms, aggs: sumAggregations() });
      return found.map((bucket) => ({ day: String(bucket.key), ...sumsIn(bucket, COUNTS) }));
    },

    async sites(orgId, period) {
      const terms = { field: 'siteId', size: MAX_SITES };
      const found = await summed([...ofScope({ orgId }), within(period)], 'day', { terms, aggs: sumAggregations() });
      return found.map((bucket) => ({ siteId: String(bucket.key), ...sumsIn(bucket, COUNTS) }));
    },

    queries: (scope, period, { by, limit }) => topQueries(summed, scope, period, { by, limit }),

    async frequentQueries(scope, period, { prefix: start, limit }) {
      const last = await rolledUpTo();
      const filter = [...ofScope(scope), within(period), ...(start === '' ? [] : [{ prefix: { query: start } }])];
      const names = await frequentNames(index, filter, last);
      if (names.length === 0) return [];
      const found = await topQueries(summed, scope, period, { by: 'searches', limit, only: names });
      return found.map(({ query }) => query);
    },

    async removeSite(siteId, limit) {
      await prepared();
      return deleteWhere(index, everyIndex(index), [{ term: { siteId } }], limit);
    },

    async removeExpired(today, limit) {
      const daysAgo = (days: number) => dayOfNumber(dayNumber(today) - days);
      const last = daysAgo(ROLLED_UP_AFTER_DAYS);
      await prepared();
      const before = await readRolledUpTo(index);
      const day = await nextDay(index, before, last);
      const mark = day === undefined ? undefined : await readLateMark(index, day);
      if (day !== undefined) await rollUpDay(index, day);
      const reached = latest(before, day ?? last);
      await refreshEvents(index, [countsIn(index)]);
      await writeRolledUpTo(index, reached);
      state = undefined;
      if (mark) await removeLateMark(index, mark);
      if (day !== undefined) return false;
      const older = (days: number) => [{ range: { day: { lt: daysAgo(days) } } }];
      const noEvents = await deleteWhere(index, [eventsIn(index)], [ofPart('event'), ...older(EVENT_DAYS)], limit);
      const noCounts = await deleteWhere(index, [countsIn(index)], older(COUNT_DAYS), limit);
      if (noEvents) await dropMonthsBefore(index, daysAgo(EVENT_DAYS).slice(0, 7));
      return noEvents && noCounts;
    },
  };
}

async function prepare(index: EventIndex): Promise<void> {
  await ensureEventIndex(index);
  const path = `/${stateOf(index)}`;
  if (await index.client.send({ method: 'HEAD', path })) return;
  try {
    await index.client.send({ method: 'PUT', path });
  } catch (error) {
    if (!(await index.client.send({ method: 'HEAD', path }))) throw error; // otherwise a concurrent call created it
  }
}

const latest = (one: string | undefined, other: string): string => (one !== undefined && one > other ? one : other);

type Summed = (filter: readonly Condition[], roll: 'day' | 'query', all: object) => Promise<readonly Bucket[]>;
type TopOptions = { readonly by: QueryOrder; readonly limit: number; readonly only?: readonly string[] };

async function topQueries(
  summed: Summed,
  scope: EventScope,
  period: Period,
  { by, limit, only }: TopOptions,
): Promise<readonly CountedQuery[]> {
  const terms = { field: 'query', size: limit, shard_size: SHARD_SIZE, order: [{ [by]: 'desc' }, { _key: 'asc' }] };
  const filter = [...ofScope(scope), within(period), { range: { [by]: { gt: 0 } } }];
  // Only documents that count are grouped; the others of these queries are added to the groups that are left.
  const found =
    only ?? (await summed(filter, 'query', { terms, aggs: sumAggregations([by]) })).map(({ key }) => String(key));
  if (found.length === 0) return [];
  const named = [...ofScope(scope), within(period), { terms: { query: found } }];
  const buckets = await summed(named, 'query', {
    terms: { ...terms, include: found },
    aggs: sumAggregations(QUERY_COUNTS),
  });
  return buckets.map((bucket) => ({ query: String(bucket.key), ...sumsIn(bucket, QUERY_COUNTS) }));
}

async function frequentNames(
  index: EventIndex,
  filter: readonly Condition[],
  rolledUpTo: string | undefined,
): Promise<readonly string[]> {
  const query = { field: 'query', size: MAX_SUGGESTED };
  const byDay = {
    terms: { field: 'day', size: EVENT_DAYS },
    aggs: { visitors: { cardinality: { field: 'visitor' } } },
  };
  const most = { max_bucket: { buckets_path: 'days>visitors' } };
  const enough = { bucket_selector: { buckets_path: { most: 'most' }, script: `params.most >= ${MIN_VISITORS}` } };
  const recent = [...filter, ofPart('event'), { exists: { field: 'visitor' } }];
  const unrolled = rolledUpTo === undefined ? [] : [{ range: { day: { gt: rolledUpTo } } }];
  const [fresh, earlier] = await Promise.all([
    bucketsOf(index, [eventsIn(index)], [...recent, ...unrolled], {
      terms: query,
      aggs: { days: byDay, most, enough },
    }),
    bucketsOf(index, [countsIn(index)], [...filter, ofPart('query'), { term: { frequent: true } }], { terms: query }),
  ]);
  return [...new Set([...fresh.buckets, ...earlier.buckets].map(({ key }) => String(key)))];
}
