import * as z from 'zod';
import { UnavailableError } from '../../../domain/errors.ts';
import { parseAnswer, throwIfFailed } from '../search/multi-search.ts';
import { type EventIndex, eventsIn } from './event-index.ts';
import type { EventCondition } from './event-search.ts';

const MAX_BULK_LENGTH = 4_000_000;
/** The status of a `create` whose document exists already. */
const EXISTS = 409;

const BulkAnswer = z.object({ items: z.array(z.record(z.string(), z.looseObject({ status: z.number() }))) });
const Deleted = z.object({ deleted: z.number(), version_conflicts: z.number() });

/** Writes documents. A `create` whose document exists changes nothing. */
export async function writeLines({ client }: EventIndex, lines: readonly string[]): Promise<void> {
  for (let start = 0; start < lines.length; ) {
    let end = start + 1;
    let length = lines[start]?.length ?? 0;
    while (end < lines.length && length + (lines[end]?.length ?? 0) <= MAX_BULK_LENGTH) {
      length += lines[end]?.length ?? 0;
      end += 1;
    }
    const answer = await client.send({ method: 'POST', path: '/_bulk', body: lines.slice(start, end).join('') });
    const items = parseAnswer(BulkAnswer, answer).items.flatMap((item) => Object.values(item));
    if (items.length !== end - start) throw new UnavailableError('OpenSearch answered another number of writes');
    for (const item of items) if (item.status !== EXISTS) throwIfFailed(item);
    start = end;
  }
}

export const refreshEvents = async ({ client }: EventIndex, indexes: readonly string[]): Promise<void> =>
  void (await client.send({
    method: 'POST',
    path: `/${indexes.join(',')}/_refresh`,
    query: { allow_no_indices: true, ignore_unavailable: true },
  }));

/** Deletes up to `limit` documents. Returns whether none is left. */
export async function deleteWhere(
  index: EventIndex,
  indexes: readonly string[],
  filter: readonly EventCondition[],
  limit: number,
): Promise<boolean> {
  await refreshEvents(index, indexes); // delete-by-query finds only visible documents
  const answer = await index.client.send({
    method: 'POST',
    path: `/${indexes.join(',')}/_delete_by_query`,
    query: { allow_no_indices: true, ignore_unavailable: true, conflicts: 'proceed', max_docs: limit, refresh: true },
    body: { query: { bool: { filter } } },
  });
  const { deleted, version_conflicts } = parseAnswer(Deleted, answer);
  return deleted < limit && version_conflicts === 0;
}

/** Deletes the indexes of months before `month` (YYYY-MM). Their events have been deleted already. */
export async function dropMonthsBefore(index: EventIndex, month: string): Promise<void> {
  const answer = await index.client.send({ method: 'GET', path: `/${eventsIn(index)}/_alias` });
  const names = Object.keys(parseAnswer(z.record(z.string(), z.unknown()), answer));
  for (const name of names)
    if (name < eventsIn(index, month)) await index.client.send({ method: 'DELETE', path: `/${name}` });
}
