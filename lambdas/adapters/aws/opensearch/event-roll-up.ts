import * as z from 'zod';
import { COUNTS, QUERY_COUNTS } from '../../../core/figures/counts.ts';
import { MIN_VISITORS } from '../../../core/ports/event-log.ts';
import { countLines, type EventIndex, eventsIn, stateOf } from './event-index.ts';
import { type Bucket, bucketsOf, ofPart, sumAggregations, sumsIn } from './event-search.ts';
import { refreshEvents, writeLines } from './event-writes.ts';
import { parseAnswer } from './multi-search.ts';

const PAGE = 5000;

const Key = z.object({ orgId: z.string(), siteId: z.string().nullable(), query: z.string().optional() });
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

/** Days whose events arrived when they may have been rolled up already. */
export async function markLate(index: EventIndex, days: readonly string[]): Promise<void> {
  const lines = days.map((day) => {
    const action = { index: { _index: stateOf(index), _id: `late-${day}` } };
    return `${JSON.stringify(action)}\n${JSON.stringify({ part: 'late', day })}\n`;
  });
  await writeLines(index, lines);
}

/** A mark as it was read: another event may set it again while its day is rolled up. */
export type LateMark = z.infer<typeof LateMark>;

export async function readLateMark(index: EventIndex, day: string): Promise<LateMark | undefined> {
  const path = `/${stateOf(index)}/_mget`;
  const answer = await index.client.send({ method: 'POST', path, body: { ids: [`late-${day}`] } });
  const [mark] = parseAnswer(LateMarks, answer).docs;
  return mark.found ? mark : undefined;
}

/** Removes the mark, unless it was set again. */
export async function removeLateMark(index: EventIndex, { _id, _seq_no, _primary_term }: LateMark): Promise<void> {
  const of = { _index: stateOf(index), _id, if_seq_no: _seq_no, if_primary_term: _primary_term };
  await index.client.send({ method: 'POST', path: '/_bulk', body: `${JSON.stringify({ delete: of })}\n` });
}

/** The first day up to `last` that is not rolled up or got late events. */
export async function nextDay(
  index: EventIndex,
  rolledUpTo: string | undefined,
  last: string,
): Promise<string | undefined> {
  await refreshEvents(index, [stateOf(index), eventsIn(index)]);
  const first = { terms: { field: 'day', size: 1, order: { _key: 'asc' } } };
  const unrolled = { range: { day: { lte: last, ...(rolledUpTo !== undefined && { gt: rolledUpTo }) } } };
  const [late, next] = await Promise.all([
    bucketsOf(index, [stateOf(index)], [ofPart('late')], first),
    bucketsOf(index, [eventsIn(index)], [ofPart('event'), unrolled], first),
  ]);
  const day = late.buckets[0]?.key ?? next.buckets[0]?.key;
  return day === undefined ? undefined : String(day);
}

/** Writes the counts of a day and of its queries. A repeat replaces them. */
export async function rollUpDay(index: EventIndex, day: string): Promise<void> {
  await refreshEvents(index, [eventsIn(index, day.slice(0, 7))]);
  await rollUp(index, day, SCOPE, sumAggregations(), (bucket) => {
    const { orgId, siteId } = parseAnswer(Key, bucket.key);
    return countLines(index, { part: 'day', day, orgId, ...ofSite(siteId), ...sumsIn(bucket, COUNTS) });
  });
  const visitors = { visitors: { cardinality: { field: 'visitor' } } };
  await rollUp(index, day, [...SCOPE, field('query')], { ...sumAggregations(QUERY_COUNTS), ...visitors }, (bucket) => {
    const { orgId, siteId, query = '' } = parseAnswer(Key, bucket.key);
    const frequent = parseAnswer(Cardinality, bucket.visitors).value >= MIN_VISITORS;
    const counts = { ...sumsIn(bucket, QUERY_COUNTS), ...(frequent && { frequent }) };
    return countLines(index, { part: 'query', day, orgId, ...ofSite(siteId), query, ...counts });
  });
}

const ofSite = (siteId: string | null) => (siteId === null ? {} : { siteId });

async function rollUp(
  index: EventIndex,
  day: string,
  sources: readonly object[],
  aggs: object,
  lineOf: (bucket: Bucket) => string,
): Promise<void> {
  for (let after: object | undefined = {}; after !== undefined; ) {
    const composite = { size: PAGE, sources, ...(Object.keys(after).length > 0 && { after }) };
    const filter = [ofPart('event'), { term: { day } }];
    const page = await bucketsOf(index, [eventsIn(index, day.slice(0, 7))], filter, { composite, aggs });
    await writeLines(index, page.buckets.map(lineOf));
    after = page.after;
  }
}
