import {
  COUNT_DAYS,
  type CountedQuery,
  EVENT_DAYS,
  type EventReader,
  type EventScope,
  MIN_VISITORS,
  type Period,
  type QueryOrder,
} from '../../../domain/ports/event-log.ts';
import { COUNTS, QUERY_COUNTS } from '../../../domain/ports/rules/event-counts.ts';
import type { OpenSearchClient } from '../client.ts';
import { countsIn, type EventIndex, eventsIn } from './event-index.ts';
import {
  type Bucket,
  bucketsOf,
  type EventCondition,
  eventScope,
  eventsOrCounts,
  everyIndex,
  ofPart,
  sumAggregations,
  sumsIn,
  VISITORS,
  within,
} from './event-search.ts';
import { readRolledUpTo } from './event-state.ts';

/** Number of groups that each index, which has one shard, returns for comparison with the other indexes. */
const SHARD_SIZE = 10_000;
const MAX_SITES = 10_000;
const MAX_SUGGESTED = 200;
/** The compared queries are the first of each day: `COMPARED` times the wanted number, at least `MIN_COMPARED`. */
const COMPARED = 3;
const MIN_COMPARED = 300;
/** Groups by the values themselves. Global ordinals of all queries would be rebuilt after every refresh. */
const FEW_OF_MANY = { execution_hint: 'map' };
/** A cached state may be old: it changes once a day, and rolled-up events are kept for months. */
const STATE_CACHE_MS = 60_000;

export type EventLogOptions = { readonly prefix?: string; readonly now?: () => number };

/**
 * Returns the reading half of the event log. It creates no index: a missing one has no counts. `forgetState` drops the
 * cached state after a change.
 */
export function opensearchEventReader(
  client: OpenSearchClient,
  { prefix = '', now = Date.now }: EventLogOptions = {},
): EventReader & { readonly forgetState: () => void } {
  const index: EventIndex = { client, prefix };
  let state: { readonly rolledUpTo: Promise<string | undefined>; readonly until: number } | undefined;
  const rolledUpTo = async (): Promise<string | undefined> => {
    if (state === undefined || state.until < now())
      state = { rolledUpTo: readRolledUpTo(index), until: now() + STATE_CACHE_MS };
    const read = state;
    return read.rolledUpTo.catch((error: unknown) => {
      if (state === read) state = undefined;
      throw error;
    });
  };
  const summed: Summed = async (filter, roll, all, ofRoll) => {
    const counted = [...filter, eventsOrCounts(await rolledUpTo(), roll, ofRoll)];
    return (await bucketsOf(index, everyIndex(index), counted, all)).buckets;
  };

  return {
    forgetState() {
      state = undefined;
    },

    async days(scope, period) {
      const terms = { field: 'day', size: COUNT_DAYS + EVENT_DAYS, order: { _key: 'asc' } };
      const found = await summed([...eventScope(scope), within(period)], 'day', { terms, aggs: sumAggregations() });
      return found.map((bucket) => ({ day: String(bucket.key), ...sumsIn(bucket, COUNTS) }));
    },

    async sites(orgId, period) {
      const terms = { field: 'siteId', size: MAX_SITES };
      const found = await summed([...eventScope({ orgId }), within(period)], 'day', { terms, aggs: sumAggregations() });
      return found.map((bucket) => ({ siteId: String(bucket.key), ...sumsIn(bucket, COUNTS) }));
    },

    queries: (scope, period, { by, limit }) => topQueries(summed, scope, period, { by, limit }),

    async frequentQueries(scope, period, { prefix: start, limit }) {
      const last = await rolledUpTo();
      const filter = [...eventScope(scope), within(period), ...(start === '' ? [] : [{ prefix: { query: start } }])];
      const names = await frequentNames(index, filter, last);
      if (names.length === 0) return [];
      const found = await topQueries(summed, scope, period, { by: 'searches', limit: names.length, only: names });
      const helpful = found.filter(({ searches, emptySearches }) => searches > emptySearches);
      return helpful.slice(0, limit).map(({ query }) => query);
    },
  };
}

type Summed = (
  filter: readonly EventCondition[],
  roll: 'day' | 'query',
  all: object,
  ofRoll?: readonly EventCondition[],
) => Promise<readonly Bucket[]>;
type TopOptions = { readonly by: QueryOrder; readonly limit: number; readonly only?: readonly string[] };

async function topQueries(
  summed: Summed,
  scope: EventScope,
  period: Period,
  { by, limit, only }: TopOptions,
): Promise<readonly CountedQuery[]> {
  const order = [{ [by]: 'desc' }, { _key: 'asc' }];
  const terms = { field: 'query', shard_size: SHARD_SIZE, order, ...FEW_OF_MANY };
  const filter = [...eventScope(scope), within(period), { range: { [by]: { gt: 0 } } }];
  const candidates = {
    terms: { ...terms, size: Math.max(MIN_COMPARED, COMPARED * limit) },
    aggs: sumAggregations([by]),
  };
  // The first queries of each day are the candidates. All counts of these are summed.
  const found =
    only ?? (await summed(filter, 'query', candidates, [{ term: { top: by } }])).map(({ key }) => String(key));
  if (found.length === 0) return [];
  const named = [...eventScope(scope), within(period), { terms: { query: found } }];
  const buckets = await summed(named, 'query', {
    terms: { ...terms, size: limit, include: found },
    aggs: sumAggregations(QUERY_COUNTS),
  });
  return buckets.map((bucket) => ({ query: String(bucket.key), ...sumsIn(bucket, QUERY_COUNTS) }));
}

async function frequentNames(
  index: EventIndex,
  filter: readonly EventCondition[],
  rolledUpTo: string | undefined,
): Promise<readonly string[]> {
  const query = { field: 'query', size: MAX_SUGGESTED };
  const byDay = {
    terms: { field: 'day', size: EVENT_DAYS },
    aggs: { visitors: VISITORS },
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
