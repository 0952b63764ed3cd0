const REFUSED: ReadonlySet<number> = new Set([429, 503]);
export const isRefusal = (status: number): boolean => REFUSED.has(status);

/** A 429 or 503 answer. */
export type StartRefusal = {
  readonly status: number;
  /** Epoch milliseconds, if the server says when to retry. */
  readonly retryAt?: number;
};

/** The history of refusals. It is stored with the job, so that it outlives a slice. */
export type RefusalState = {
  /** The last refusal. */
  readonly refusal?: StartRefusal;
  /** Refusals since the server last gave another answer, and when they began (`workedMs` of the job). */
  readonly inRow: number;
  readonly since?: number;
  /** Retries after a pause that were refused again, without a success in between. */
  readonly vain: number;
  readonly vainSince?: number;
  /** Whether the start page asks for a longer pause than a crawl makes. */
  readonly isStartClosed?: boolean;
  /** Whether the server refuses some URLs at any pace and answers others. */
  readonly isPartial?: boolean;
};

/** Names of the statuses in messages of failed jobs. */
const MEANINGS: Readonly<Record<number, string>> = { 429: 'too many requests', 503: 'service unavailable' };

const NEXT = 'a schedule tries again at its next time';
const STATUS = ({ status }: Pick<StartRefusal, 'status'>): string => `${status} (${MEANINGS[status] ?? 'refused'})`;

export const refusesAll = (host: string, refusal: Pick<StartRefusal, 'status'>): string =>
  `${host} answers ${STATUS(refusal)} to every request. Check that the server is up and does not block SiteSearchBot, \
or set a delayMs, then start the crawl again; ${NEXT}.`;

/** Returns the message for a server that asks for a longer pause than a crawl makes. */
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
