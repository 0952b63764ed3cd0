import { sendEvent } from '#adapters/event-sink';
import {
  type ChatMade,
  chatEvent,
  searchEvent,
  type VisitorEvent,
  visitorEvent,
} from '../domain/analytics/new-events.ts';
import type { EventScope } from '../domain/ports/event-log.ts';
import { log } from './log.ts';
import { clock, newId } from './system.ts';
import { visitors } from './visitors.ts';

/* All logging of visitors' actions. Nothing here fails or delays an answer. */

const deps = { clock, newId };

/** The site, or for a group only its organisation. */
type Source = EventScope & { readonly address: string };

/** Logs a search. Only a first page of results counts: further pages belong to the same search. */
export async function logSearch(
  { orgId, siteId, address }: Source,
  { query, offset, results }: { readonly query: string; readonly offset: number; readonly results: number },
): Promise<void> {
  if (offset > 0) return;
  const visitor = siteId === undefined ? undefined : await visitorName(address, siteId);
  sendEvent(searchEvent({ orgId, siteId }, { query, results, visitor }, deps));
}

/** Logs a chat that was answered or refused. */
export const logChat = ({ orgId, siteId }: EventScope, made: ChatMade): void =>
  sendEvent(chatEvent({ orgId, siteId }, made, deps));

export const logVisitorEvent = ({ orgId, siteId }: EventScope, event: VisitorEvent): void =>
  sendEvent(visitorEvent({ orgId, siteId }, event, deps));

/**
 * Returns the visitor's daily name. Undefined while the table does not answer: the search is then counted without it.
 */
async function visitorName(address: string, siteId: string): Promise<string | undefined> {
  try {
    return await visitors.nameOf(address, siteId);
  } catch (error) {
    log('warn', 'a visitor cannot be told apart from others', { error });
    return undefined;
  }
}
