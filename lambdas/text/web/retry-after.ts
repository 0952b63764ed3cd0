/** Maximum wait. Longer ones are cut, so that they end at a date that JavaScript can represent. */
const MAX_SECONDS = 100 * 365 * 86_400;
const HTTP_DATE = /^[a-z]{3,9},? .*\d{2}:\d{2}:\d{2}/i;
/** The asctime form has no time zone; it means GMT (RFC 9110, 5.6.7). */
const HAS_ZONE = /(?:GMT|UTC|Z|[+-]\d{4})$/i;

/** Returns the milliseconds that a Retry-After header asks for (RFC 9110, 10.2.3). Undefined for a malformed value. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), MAX_SECONDS) * 1000;
  if (!HTTP_DATE.test(text)) return undefined;
  const date = Date.parse(HAS_ZONE.test(text) ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), MAX_SECONDS * 1000);
}
