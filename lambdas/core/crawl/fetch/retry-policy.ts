import type { FetchFailure } from '../../ports/page-fetcher.ts';
import type { NextTry, QueuedUrl } from '../frontier/frontier-rows.ts';

/** What a server is obeyed in; one that asks for a longer wait is left alone. */
export const LONGEST_RETRY_AFTER_MS = 120_000;
const FIRST_WAIT_MS = 2000;

/** So often a URL is asked for before an end like this is believed. A 429 says nothing of the page, only that we are too fast. */
const TRIES: ReadonlyMap<number | FetchFailure, number> = new Map<number | FetchFailure, number>([
  [429, 6],
  [503, 3],
  [502, 2],
  [504, 2],
  ['connection', 2],
]);

/**
 * When a URL is to be asked for again that could not be had; undefined if its end is to be believed. Waits as long as the server asks
 * (`Retry-After`, in seconds or as an HTTP date), else 2 s and then twice as long each time.
 */
export function nextTry(
  fault: number | FetchFailure,
  retryAfter: string | undefined,
  { tries = 0 }: Pick<QueuedUrl, 'tries'>,
  now: number,
): NextTry | undefined {
  const made = tries + 1;
  const asked = retryAfterMs(retryAfter, now);
  if (made >= (TRIES.get(fault) ?? 1) || (asked ?? 0) > LONGEST_RETRY_AFTER_MS) return undefined;
  const wait = asked ?? FIRST_WAIT_MS * 2 ** tries;
  return { tries: made, notBefore: now + Math.min(wait, LONGEST_RETRY_AFTER_MS) };
}

/** RFC 9110, 10.2.3. A value that is neither is as good as none. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
