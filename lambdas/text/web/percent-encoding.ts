/**
 * A stray "%" is kept with the two hex digits or escapes after it: if these were decoded, they might complete an escape
 * ("%%34%31").
 */
const ESCAPE = /%(?![0-9A-Fa-f]{2})(?:[0-9A-Fa-f]|%[0-9A-Fa-f]{2}){0,2}|%([0-9A-Fa-f]{2})/g;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * Normalises percent-encoding (RFC 3986, 6.2.2.1 and 6.2.2.2): decodes unreserved characters, and writes other escapes
 * in upper case. A "%" that begins no escape stays. Idempotent; never changes what a server decodes.
 */
export function normalisePercentEncoding(text: string): string {
  return text.replace(ESCAPE, (found: string, hex: string | undefined) => {
    if (hex === undefined) return found;
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : found.toUpperCase();
  });
}
