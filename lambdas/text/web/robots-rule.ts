import type { Glob } from './glob.ts';
import { normalisePercentEncoding } from './percent-encoding.ts';

/** An Allow or Disallow line. */
export type RobotsRule = Glob & {
  readonly allow: boolean;
  /** Octets of the pattern: the longest match decides (RFC 9309, 2.2.2). */
  readonly octets: number;
};

const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
const NON_ASCII = /[\u0080-\uffff]+/g;
/** ASCII characters that URLs always escape, and the two characters with a meaning in patterns (RFC 9309, 2.2.3). */
const ESCAPED_ASCII = /[^A-Za-z0-9\-._~!'();:@&=+,/?#[\]%\u0080-\uffff]/g;

export function robotsRule(allow: boolean, pattern: string): RobotsRule {
  const hasAnchor = pattern.endsWith('$');
  const ascii = (hasAnchor ? pattern.slice(0, -1) : pattern).replace(NON_ASCII, escapeUtf8);
  const [head = '', ...parts] = ascii.split(/\*+/).map(comparable);
  // A trailing asterisk changes nothing: "/fish*" and "/fish*$" equal "/fish".
  const isOpen = parts.at(-1) === '';
  if (isOpen) parts.pop();
  const anchored = hasAnchor && !isOpen;
  const octets = parts.reduce((sum, part) => sum + 1 + part.length, head.length + (anchored ? 1 : 0));
  return { allow, octets, head, parts, anchored };
}

/** Returns path and query of an ASCII URL, percent-encoded like rules so that they can be compared. */
export function robotsPath(url: string): string {
  const path = comparable(url.replace(AUTHORITY, '').split('#', 1)[0] ?? '');
  return path.startsWith('/') ? path : `/${path}`;
}

function comparable(text: string): string {
  return normalisePercentEncoding(text).replace(
    ESCAPED_ASCII,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function escapeUtf8(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
