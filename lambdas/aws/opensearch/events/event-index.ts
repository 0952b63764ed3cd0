import { createHash } from 'node:crypto';
import type { QueryOrder } from '../../../domain/ports/event-log.ts';
import type { LoggedEvent } from '../../../domain/ports/logged-event.ts';
import { dayOf } from '../../../domain/ports/rules/days.ts';
import { COUNTS, countedQuery, countsOf } from '../../../domain/ports/rules/event-counts.ts';
import { serializeEvent } from '../../../domain/ports/rules/stored-event.ts';
import { defined } from '../../../text/defined.ts';
import type { OpenSearchClient } from '../client.ts';

/*
 * Each month has an index of its events. Ended days are rolled up into documents with the same counts, one for a day
 * and one for each query of the day, so that one query can sum events and roll-ups. The most frequent queries of a day
 * are marked, so that a list of queries need not read all of them.
 */

export type EventIndex = {
  readonly client: OpenSearchClient;
  /** Prefix of the indexes' names, for tests that share an engine. */
  readonly prefix: string;
};

export const eventsIn = ({ prefix }: EventIndex, month = '*'): string => `${prefix}events-${month}`;
export const countsIn = ({ prefix }: EventIndex, year = '*'): string => `${prefix}event-counts-${year}`;
export const stateOf = ({ prefix }: EventIndex): string => `${prefix}event-state`;

const KEYWORD = { type: 'keyword' };
const SHOWN = { type: 'keyword', index: false, doc_values: false };
const count = { type: 'integer' };

const PROPERTIES = {
  /** `event`, or `day` or `query` in a roll-up. */
  part: KEYWORD,
  day: KEYWORD,
  orgId: KEYWORD,
  siteId: KEYWORD,
  query: KEYWORD,
  visitor: KEYWORD,
  /** In the roll-up of a query: whether enough visitors searched for it on that day to suggest it. */
  frequent: { type: 'boolean' },
  /** In the roll-up of a query: the orders (`QueryOrder`) in which it is among the first of its site. */
  top: KEYWORD,
  ...Object.fromEntries(COUNTS.map((name) => [name, count])),
  /** `serializeEvent`. */
  body: SHOWN,
};

/** `auto_expand_replicas` adds a replica when the domain has a second node. */
const SETTINGS = { number_of_shards: 1, auto_expand_replicas: '0-1', refresh_interval: '3s' };

/** Writes the template of all event indexes, which the first write of each creates. Calls may repeat and overlap. */
export async function ensureEventIndex(index: EventIndex): Promise<void> {
  const { client, prefix } = index;
  const body = {
    index_patterns: [eventsIn(index), countsIn(index), stateOf(index)],
    template: { settings: SETTINGS, mappings: { dynamic: false, properties: PROPERTIES } },
  };
  await client.send({ method: 'PUT', path: `/_index_template/${prefix}site-search-events`, body });
}

/** Returns the bulk lines that create an event unless its id exists. */
export function eventLines(index: EventIndex, event: LoggedEvent): string {
  const { id, at, orgId, siteId } = event;
  const day = dayOf(at);
  const query = countedQuery(event);
  const nonZero = Object.entries(countsOf(event)).filter(([, value]) => value !== 0);
  const document = {
    part: 'event',
    day,
    orgId,
    ...defined({ siteId, query }),
    ...('visitor' in event && { visitor: event.visitor }),
    ...Object.fromEntries(nonZero),
    body: serializeEvent(event),
  };
  const action = { create: { _index: eventsIn(index, day.slice(0, 7)), _id: id } };
  return `${JSON.stringify(action)}\n${JSON.stringify(document)}\n`;
}

export type CountDocument = {
  readonly part: 'day' | 'query';
  readonly day: string;
  readonly orgId: string;
  readonly siteId?: string | undefined;
  readonly query?: string;
  readonly top?: readonly QueryOrder[];
};

/** Returns the bulk lines that write or replace a roll-up. */
export function countLines(index: EventIndex, document: CountDocument): string {
  const { part, day, orgId, siteId = '', query = '' } = document;
  const _id = createHash('sha256')
    .update(JSON.stringify([part, day, orgId, siteId, query]))
    .digest('base64url');
  const action = { index: { _index: countsIn(index, day.slice(0, 4)), _id } };
  return `${JSON.stringify(action)}\n${JSON.stringify(document)}\n`;
}
