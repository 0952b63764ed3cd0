import type { LoggedEvent } from '../logged-event.ts';

/** The stored part of an event, as JSON, without what its key says. The visitor is needed only to count visitors. */
export const keptBody = (event: LoggedEvent): string =>
  JSON.stringify(event, (name, value) => (NOT_KEPT.has(name) ? undefined : value));

/** The same without what visitors wrote. */
export const bodyWithoutTexts = (event: LoggedEvent): string =>
  JSON.stringify(event, (name, value) => (NOT_KEPT.has(name) || TEXTS.has(name) ? undefined : value));

const TEXTS = new Set(['query', 'url', 'comment']);
const NOT_KEPT = new Set(['id', 'orgId', 'siteId', 'visitor']);
