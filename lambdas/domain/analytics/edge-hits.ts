import type { EventScope } from '../ports/event-log.ts';
import type { LoggedEvent } from '../ports/logged-event.ts';
import type { Queue } from '../ports/queue.ts';
import type { TableReader } from '../ports/table.ts';
import { readGroup } from '../sites/groups/group.ts';
import { readSite } from '../sites/site.ts';
import { type EdgeHit, edgeHits } from './edge-log.ts';
import { searchEvent, sendEvents } from './new-events.ts';

/** Access to the log files of the CDN. */
export type EdgeLogs = {
  /** Returns the text of a file; undefined if the file does not exist. */
  readonly read: (key: string) => Promise<string | undefined>;
  readonly remove: (key: string) => Promise<void>;
};

/**
 * Counts the searches of a log file that the CDN answered from its cache, then deletes the file, because it contains
 * addresses. A repeat counts nothing twice: an event's id is the id of its request.
 */
export async function countEdgeHits(
  key: string,
  { edgeLogs, table, queue }: { readonly edgeLogs: EdgeLogs; readonly table: TableReader; readonly queue: Queue },
): Promise<void> {
  const text = await edgeLogs.read(key);
  if (text === undefined) return;
  const scopes = new Map<string, EventScope | undefined>();
  const events: LoggedEvent[] = [];
  for (const hit of edgeHits(text)) {
    if (!scopes.has(hit.id)) scopes.set(hit.id, await scopeOf(hit, table));
    const scope = scopes.get(hit.id);
    const deps = { clock: () => hit.at, newId: () => `edge-${hit.requestId}` };
    if (scope) events.push(searchEvent(scope, { query: hit.query, results: undefined, visitor: undefined }, deps));
  }
  await sendEvents(events, queue);
  await edgeLogs.remove(key);
}

/** Returns undefined for a deleted site or group. */
async function scopeOf({ kind, id }: EdgeHit, table: TableReader): Promise<EventScope | undefined> {
  if (kind === 'sites') return (await readSite(id, table))?.settings;
  const group = await readGroup(id, table);
  return group && { orgId: group.orgId };
}
