import * as z from 'zod';
import type { EventScope, Period } from '../../../domain/ports/event-log.ts';
import { COUNTS, type Counts } from '../../../domain/ports/rules/event-counts.ts';
import { parseAnswer } from '../search/multi-search.ts';
import { countsIn, type EventIndex, eventsIn } from './event-index.ts';

const Value = z.object({ value: z.number().nullable() });
const Bucket = z.looseObject({ key: z.unknown(), doc_count: z.number() });
export type Bucket = z.infer<typeof Bucket>;
const Answer = z.object({
  aggregations: z
    .object({
      all: z.object({ buckets: z.array(Bucket), after_key: z.record(z.string(), z.unknown()).optional() }),
    })
    .optional(),
});

export type EventCondition = Readonly<Record<string, unknown>>;

/** Returns the buckets of the aggregation `all`. Indexes that do not exist yet have none. */
export async function bucketsOf(
  { client }: EventIndex,
  indexes: readonly string[],
  filter: readonly EventCondition[],
  all: object,
): Promise<{ readonly buckets: readonly Bucket[]; readonly after?: Readonly<Record<string, unknown>> | undefined }> {
  const answer = await client.send({
    method: 'POST',
    path: `/${indexes.join(',')}/_search`,
    query: { allow_no_indices: true, ignore_unavailable: true, allow_partial_search_results: false },
    body: { size: 0, track_total_hits: false, query: { bool: { filter } }, aggs: { all } },
  });
  const { buckets = [], after_key: after } = parseAnswer(Answer, answer).aggregations?.all ?? {};
  return { buckets, after };
}

export const within = ({ from, to }: Period): EventCondition => ({ range: { day: { gte: from, lte: to } } });

export const eventScope = ({ orgId, siteId }: EventScope): readonly EventCondition[] => [
  { term: { orgId } },
  ...(siteId === undefined ? [] : [{ term: { siteId } }]),
];

export const ofPart = (...parts: readonly string[]): EventCondition => ({ terms: { part: parts } });

export const sumAggregations = (names: readonly (keyof Counts)[] = COUNTS) =>
  Object.fromEntries(names.map((name) => [name, { sum: { field: name } }]));

export const sumsIn = <Name extends keyof Counts>(bucket: Bucket, names: readonly Name[]): Pick<Counts, Name> =>
  Object.fromEntries(names.map((name) => [name, parseAnswer(Value, bucket[name]).value ?? 0])) as Pick<Counts, Name>;

/** Counts few visitors exactly and reserves little memory: the default precision takes 16 kB for each group. */
export const VISITORS = { cardinality: { field: 'visitor', precision_threshold: 100 } };

/** Selects roll-ups, of which `ofRoll` must hold, for days up to `rolledUpTo`, and events for later days. */
export const eventsOrCounts = (
  rolledUpTo: string | undefined,
  roll: 'day' | 'query',
  ofRoll: readonly EventCondition[] = [],
): EventCondition =>
  rolledUpTo === undefined
    ? ofPart('event')
    : {
        bool: {
          should: [
            { bool: { filter: [ofPart('event'), { range: { day: { gt: rolledUpTo } } }] } },
            { bool: { filter: [ofPart(roll), { range: { day: { lte: rolledUpTo } } }, ...ofRoll] } },
          ],
        },
      };

export const everyIndex = (index: EventIndex): readonly string[] => [eventsIn(index), countsIn(index)];
