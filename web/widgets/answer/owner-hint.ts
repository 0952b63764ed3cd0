import type { SearchError } from '../../../packages/client/src/search-error.ts';

/**
 * Says in the console what the owner of the page has to change. A browser does not let a page read why the service
 * refuses its origin, so without an answer the hint is a guess.
 */
export function tellOwner(host: Element, { status, message }: SearchError): void {
  if (status === 403 || status === 404) console.warn(`<${host.localName}>: ${message}`);
  if (status !== 0 || !navigator.onLine) return;
  const advice = `If it runs, add ${location.origin} to the allowedDomains of the site's publicAccess`;
  console.warn(`<${host.localName}>: ${message} ${advice}.`);
}
