import { normalisePercentEncoding } from './percent-encoding.ts';

/** An Allow or Disallow line, cut at its asterisks. */
export type RobotsRule = {
  readonly allow: boolean;
  /** Octets of the pattern: the longest match decides (RFC 9309, 2.2.2). */
  readonly octets: number;
  readonly head: string;
  /** What must follow the head, in this order, with anything between. */
  readonly parts: readonly string[];
  /** The pattern ends in "$". */
  readonly anchored: boolean;
};

const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
const NON_ASCII = /[\u0080-\uffff]+/g;
/** ASCII that a URL holds only escaped, and the two characters that patterns give a meaning (RFC 9309, 2.2.3). */
const ESCAPED_ASCII = /[^A-Za-z0-9\-._~!'();:@&=+,/?#[\]%\u0080-\uffff]/g;

export function robotsRule(allow: boolean, pattern: string): RobotsRule {
  const hasAnchor = pattern.endsWith('$');
  const ascii = (hasAnchor ? pattern.slice(0, -1) : pattern).replace(NON_ASCII, escapeUtf8);
  const [head = '', ...parts] = ascii.split(/\*+/).map(comparable);
  // An asterisk at the end adds nothing: "/fish*" and "/fish*$" are "/fish".
  const isOpen = parts.at(-1) === '';
  if (isOpen) parts.pop();
  const anchored = hasAnchor && !isOpen;
  const octets = parts.reduce((sum, part) => sum + 1 + part.length, head.length + (anchored ? 1 : 0));
  return { allow, octets, head, parts, anchored };
}

/** Path and query of a URL in the spelling that rules are compared in. Of a URL as it is sent, that is, in ASCII. */
export function robotsPath(url: string): string {
  const path = comparable(url.replace(AUTHORITY, '').split('#', 1)[0] ?? '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Whether a rule's pattern matches a path of `robotsPath`. Each part at its first place leaves the most to the next: nothing is tried twice. */
export function ruleMatches({ head, parts, anchored }: RobotsRule, path: string): boolean {
  if (!path.startsWith(head)) return false;
  const tail = anchored ? parts.at(-1) : undefined;
  const inner = parts.length - (tail === undefined ? 0 : 1);
  let end = head.length;
  for (let index = 0; index < inner; index += 1) {
    const part = parts[index] ?? '';
    const start = path.indexOf(part, end);
    if (start < 0) return false;
    end = start + part.length;
  }
  if (!anchored) return true;
  return tail === undefined ? end === path.length : path.endsWith(tail) && path.length - tail.length >= end;
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
