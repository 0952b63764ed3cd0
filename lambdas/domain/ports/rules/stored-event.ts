import type { LoggedEvent } from '../logged-event.ts';

/**
 * Returns the stored part of an event as JSON, without the fields of its key. The visitor is only needed to count
 * visitors.
 */
export const serializeEvent = (event: LoggedEvent): string =>
  JSON.stringify(event, (name, value) => (NOT_KEPT.has(name) ? undefined : value));

/** Returns the stored part without texts of visitors. */
export const bodyWithoutTexts = (event: LoggedEvent): string =>
  JSON.stringify(event, (name, value) => (NOT_KEPT.has(name) || TEXTS.has(name) ? undefined : value));

const TEXTS = new Set(['query', 'url', 'comment']);
const NOT_KEPT = new Set(['id', 'orgId', 'siteId', 'visitor']);
