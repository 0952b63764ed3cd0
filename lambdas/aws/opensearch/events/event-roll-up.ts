import * as z from 'zod';
import { batchesBySize } from '../../../domain/batches.ts';
import { MIN_VISITORS, QUERIES_OF_DAY, type QueryOrder } from '../../../domain/ports/event-log.ts';
import { COUNTS, QUERY_COUNTS } from '../../../domain/ports/rules/event-counts.ts';
import { defined } from '../../../text/defined.ts';
import { parseAnswer } from '../search/multi-search.ts';
import { countLines, type EventIndex, eventsIn, stateOf } from './event-index.ts';
import {
  type Bucket,
  bucketsOf,
  type EventCondition,
  ofPart,
  sumAggregations,
  sumsIn,
  VISITORS,
} from './event-search.ts';
import { refreshEvents, writeLines } from './event-writes.ts';

const PAGE = 5000;
/** Number of queries per day from which the lists of most frequent queries are chosen (domain/ports/event-log.ts). */
const TOP_OF_DAY = 1000;
const EVENTS_TOGETHER = 20_000;
const QUERY_ORDERS: readonly QueryOrder[] = ['searches', 'emptySearches', 'refusedChats'];

const ScopeKey = z.object({ orgId: z.string(), siteId: z.string().nullable() });
const QueryKey = z.object({ query: z.string() });
const Cardinality = z.object({ value: z.number() });
const LateMark = z.object({
  _id: z.string(),
  found: z.boolean(),
  _seq_no: z.number().optional(),
  _primary_term: z.number().optional(),
});
const LateMarks = z.object({ docs: z.tuple([LateMark]) });

const field = (name: string, more: object = {}) => ({ [name]: { terms: { field: name, ...more } } });
const SCOPE = [field('orgId'), field('siteId', { missing_bucket: true })];

export async function writeRolledUpTo(index: EventIndex, day: string): Promise<void> {
  const action = { index: { _index: stateOf(index), _id: 'roll-up' } };
  await writeLines(index, [`${JSON.stringify(action)}\n${JSON.stringify({ rolledUpTo: day })}\n`]);
}

/** Marks days whose events arrived when the days may have been rolled up already. */
export async function markLate(index: EventIndex, days: readonly string[]): Promise<void> {
  const lines = days.map((day) => {
    const action = { index: { _index: stateOf(index), _id: `late-${day}` } };
    return `${JSON.stringify(action)}\n${JSON.stringify({ part: 'late', day })}\n`;
  });
  await writeLines(index, lines);
}

/** A mark with the version that was read: another event may set it again while its day is rolled up. */
export type LateMark = z.infer<typeof LateMark>;

export async function readLateMark(index: EventIndex, day: string): Promise<LateMark | undefined> {
  const path = `/${stateOf(index)}/_mget`;
  const answer = await index.client.send({ method: 'POST', path, body: { ids: [`late-${day}`] } });
  const [mark] = parseAnswer(LateMarks, answer).docs;
  return mark.found ? mark : undefined;
}

/** Removes the mark unless it was set again. */
export async function removeLateMark(index: EventIndex, { _id, _seq_no, _primary_term }: LateMark): Promise<void> {
  const of = { _index: stateOf(index), _id, if_seq_no: _seq_no, if_primary_term: _primary_term };
  await index.client.send({ method: 'POST', path: '/_bulk', body: `${JSON.stringify({ delete: of })}\n` });
}

/** Returns the first day up to `last` that is not rolled up or has received late events. */
export async function nextDay(
  index: EventIndex,
  rolledUpTo: string | undefined,
  last: string,
): Promise<string | undefined> {
  await refreshEvents(index, [stateOf(index), eventsIn(index)]);
  const first = { terms: { field: 'day', size: 1, order: { _key: 'asc' } } };
  const unrolled = { range: { day: { lte: last, ...defined({ gt: rolledUpTo }) } } };
  const [late, next] = await Promise.all([
    bucketsOf(index, [stateOf(index)], [ofPart('late')], first),
    bucketsOf(index, [eventsIn(index)], [ofPart('event'), unrolled], first),
  ]);
  const day = late.buckets[0]?.key ?? next.buckets[0]?.key;
  return day === undefined ? undefined : String(day);
}

/** Writes the counts of a day and of its queries. A repeated call replaces them. */
export async function rollUpDay(index: EventIndex, day: string, queriesOfDay = QUERIES_OF_DAY): Promise<void> {
  await refreshEvents(index, [eventsOf(index, day)]);
  await eachPage(index, day, [ofDay(day)], SCOPE, sumAggregations(), async (buckets) => {
    const days = buckets.map((bucket) => ({
      part: 'day' as const,
      day,
      ...scopeOf(bucket),
      ...sumsIn(bucket, COUNTS),
    }));
    await writeLines(
      index,
      days.map((document) => countLines(index, document)),
    );
    for (const scopes of batchesOf(buckets)) await rollUpQueries(index, day, scopes, queriesOfDay);
  });
}

/** A site on one day, or the group searches of an organisation on one day. */
type DayScope = { readonly orgId: string; readonly siteId: string | undefined; readonly events: number };

/**
 * Batches sites with few events. A site with many gets its own batch, because each page of buckets reads all events
 * that its filter matches.
 */
function batchesOf(buckets: readonly Bucket[]): readonly (readonly DayScope[])[] {
  const scopes = buckets.map((bucket) => ({ ...scopeOf(bucket), events: bucket.doc_count }));
  const together = batchesBySize(
    scopes.filter(({ events }) => events <= TOP_OF_DAY),
    ({ events }) => events,
    { size: EVENTS_TOGETHER },
  );
  return [...scopes.filter(({ events }) => events > TOP_OF_DAY).map((scope) => [scope]), ...together];
}

/**
 * Rolls up the queries of some sites. For a site with more than `queriesOfDay` queries, those beyond are dropped unless
 * they are frequent or among the first.
 */
async function rollUpQueries(
  index: EventIndex,
  day: string,
  scopes: readonly DayScope[],
  queriesOfDay: number,
): Promise<void> {
  const filter = [ofDay(day), { exists: { field: 'query' } }, anyOf(scopes)];
  const [first] = scopes;
  const top = first && first.events > TOP_OF_DAY ? await topOfDay(index, day, filter) : undefined;
  const aggs = { ...sumAggregations(QUERY_COUNTS), visitors: VISITORS };
  let room = top ? queriesOfDay - top.size : Infinity;
  await eachPage(index, day, filter, [...SCOPE, field('query')], aggs, (buckets) => {
    const lines = buckets.flatMap((bucket) => {
      const { query } = parseAnswer(QueryKey, bucket.key);
      const sums = sumsIn(bucket, QUERY_COUNTS);
      const isFrequent = parseAnswer(Cardinality, bucket.visitors).value >= MIN_VISITORS;
      const tops = top ? (top.get(query) ?? []) : QUERY_ORDERS.filter((order) => sums[order] > 0);
      if (!isFrequent && tops.length === 0 && --room < 0) return [];
      const marks = { ...(isFrequent && { frequent: true }), ...(tops.length > 0 && { top: tops }) };
      return [countLines(index, { part: 'query', day, ...scopeOf(bucket), query, ...sums, ...marks })];
    });
    return writeLines(index, lines);
  });
}

/** Returns the most frequent queries by each count. */
async function topOfDay(
  index: EventIndex,
  day: string,
  filter: readonly EventCondition[],
): Promise<ReadonlyMap<string, readonly QueryOrder[]>> {
  const top = new Map<string, QueryOrder[]>();
  for (const by of QUERY_ORDERS) {
    const terms = { field: 'query', size: TOP_OF_DAY, order: [{ [by]: 'desc' }, { _key: 'asc' }] };
    const counted = [...filter, { range: { [by]: { gt: 0 } } }];
    const all = { terms, aggs: sumAggregations([by]) };
    const { buckets } = await bucketsOf(index, [eventsOf(index, day)], counted, all);
    for (const { key } of buckets) top.set(String(key), [...(top.get(String(key)) ?? []), by]);
  }
  return top;
}

const eventsOf = (index: EventIndex, day: string): string => eventsIn(index, day.slice(0, 7));

const ofDay = (day: string): EventCondition => ({ bool: { filter: [ofPart('event'), { term: { day } }] } });

function anyOf(scopes: readonly DayScope[]): EventCondition {
  const sites = scopes.flatMap(({ siteId }) => siteId ?? []);
  const groups = scopes.filter(({ siteId }) => siteId === undefined).map(({ orgId }) => orgId);
  const ofGroups = { filter: [{ terms: { orgId: groups } }], must_not: [{ exists: { field: 'siteId' } }] };
  return { bool: { should: [{ terms: { siteId: sites } }, { bool: ofGroups }], minimum_should_match: 1 } };
}

function scopeOf({ key }: Bucket): Pick<DayScope, 'orgId' | 'siteId'> {
  const { orgId, siteId } = parseAnswer(ScopeKey, key);
  return { orgId, siteId: siteId ?? undefined };
}

async function eachPage(
  index: EventIndex,
  day: string,
  filter: readonly EventCondition[],
  sources: readonly object[],
  aggs: object,
  visit: (buckets: readonly Bucket[]) => Promise<void>,
): Promise<void> {
  for (let after: object | undefined = {}; after !== undefined; ) {
    const composite = { size: PAGE, sources, ...(Object.keys(after).length > 0 && { after }) };
    const page = await bucketsOf(index, [eventsOf(index, day)], filter, { composite, aggs });
    if (page.buckets.length > 0) await visit(page.buckets);
    after = page.buckets.length < PAGE ? undefined : page.after;
  }
}
