import type { Refusal } from '../fetch/refusals.ts';

/** What a failed job says about a server that answers 429 or 503. */
const MEANINGS: Readonly<Record<number, string>> = { 429: 'too many requests', 503: 'service unavailable' };

const NEXT = 'a schedule tries again at its next time';
const STATUS = ({ status }: Pick<Refusal, 'status'>): string => `${status} (${MEANINGS[status] ?? 'refused'})`;

export const refusesAll = (host: string, refusal: Pick<Refusal, 'status'>): string =>
  `${host} answers ${STATUS(refusal)} to every request. Check that the server is up and does not block SiteSearchBot, \
or set a delayMs, then start the crawl again; ${NEXT}.`;

/** A longer pause than a crawl makes. */
export const asksToWait = (
  what: string,
  { status, retryAt }: { readonly status: number; readonly retryAt: number },
): string =>
  `${what} answers ${STATUS({ status })} and asks crawlers to come back after ${minuteOf(retryAt)} (Retry-After). \
Start the crawl again then; ${NEXT}.`;

const minuteOf = (time: number): string => {
  const [date, minute = ''] = new Date(time + 59_999).toISOString().split('T');
  return `${date} ${minute.slice(0, 5)} UTC`;
};
