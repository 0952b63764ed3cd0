import { defined } from '../../text/defined.ts';
import { batchesBySize } from '../batches.ts';
import type { Clock } from '../clock.ts';
import type { EventScope } from '../ports/event-log.ts';
import type { LoggedEvent } from '../ports/logged-event.ts';
import type { Queue } from '../ports/queue.ts';
import { countedText, maskPersonalData } from './mask-personal-data.ts';

/* All events are made here, because texts must be masked before they are stored. */

export type EventDeps = { readonly clock: Clock; readonly newId: () => string };

const sourceOf = ({ orgId, siteId }: EventScope, { clock, newId }: EventDeps) => ({
  id: newId(),
  at: clock(),
  orgId,
  ...defined({ siteId }),
});

export type SearchMade = {
  readonly query: string;
  /** Undefined for a search that a cache answered. */
  readonly results: number | undefined;
  readonly visitor: string | undefined;
};

export const searchEvent = (
  scope: EventScope,
  { query, results, visitor }: SearchMade,
  deps: EventDeps,
): LoggedEvent => ({
  ...sourceOf(scope, deps),
  type: 'search',
  query: countedText(query),
  ...defined({ results, visitor }),
});

export type ChatMade = {
  /** The question; in a session, the standalone question that was searched for. */
  readonly query: string;
  readonly refused: boolean;
  readonly degraded: boolean;
  readonly model?: string | undefined;
  readonly tokens: number;
  readonly savedTokens: number;
};

export const chatEvent = (
  scope: EventScope,
  { query, refused, degraded, model, tokens, savedTokens }: ChatMade,
  deps: EventDeps,
): LoggedEvent => ({
  ...sourceOf(scope, deps),
  type: 'chat',
  query: countedText(query),
  refused,
  degraded,
  tokens,
  savedTokens,
  ...defined({ model }),
});

export type VisitorEvent =
  | { readonly type: 'click'; readonly query: string; readonly url: string; readonly position: number }
  | {
      readonly type: 'feedback';
      readonly query?: string | undefined;
      readonly helpful: boolean;
      readonly comment?: string | undefined;
    };

/** Returns the event without the session of feedback, which would connect a visitor's questions. */
export function visitorEvent(scope: EventScope, event: VisitorEvent, deps: EventDeps): LoggedEvent {
  const source = sourceOf(scope, deps);
  if (event.type === 'click') {
    const { type, query, url, position } = event;
    return { ...source, type, query: countedText(query), url: maskPersonalData(url), position };
  }
  const { type, query, helpful, comment } = event;
  return {
    ...source,
    type,
    helpful,
    ...(query !== undefined && { query: countedText(query) }),
    ...(comment !== undefined && { comment: maskPersonalData(comment) }),
  };
}

/** Below the 262,144 bytes of a message. */
const MAX_BYTES = 240_000;

/** Sends events to the queue `telemetry`, in as few messages as their size allows. */
export async function sendEvents(events: readonly LoggedEvent[], queue: Queue): Promise<void> {
  for (const batch of batchesBySize(events, bytesOf, { size: MAX_BYTES }))
    await queue.send('telemetry', { body: JSON.stringify({ events: batch }) });
}

const bytesOf = (event: LoggedEvent): number => Buffer.byteLength(JSON.stringify(event)) + 1;
