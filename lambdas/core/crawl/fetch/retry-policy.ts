import type { FetchFailure } from '../../ports/page-fetcher.ts';
import type { NextTry, QueuedUrl } from '../frontier/frontier-rows.ts';
import { LONGEST_RETRY_AFTER_MS } from '../job/job.ts';

const FIRST_WAIT_MS = 2000;

/** How often a URL is fetched before such an answer is final. A 429 only says that the crawler is too fast. */
const TRIES: ReadonlyMap<number | FetchFailure, number> = new Map<number | FetchFailure, number>([
  [429, 6],
  [503, 3],
  [502, 2],
  [504, 2],
  ['connection', 2],
]);

/** Undefined if the failure is final. Waits as `Retry-After` says, else 2 s, doubled each time. */
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

/** RFC 9110, 10.2.3. Undefined for a malformed value. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
