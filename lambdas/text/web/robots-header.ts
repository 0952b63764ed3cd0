import { ROBOTS_TOKEN } from './user-agent.ts';

/** Directives with a value after a colon. Any other name before a colon is a crawler's. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
]);
const NAMED = /^([^\s:]+)\s*:(.*)$/;

/**
 * Parses an X-Robots-Tag header. Directives after a crawler's name apply to it, up to the next name; directives before
 * any name apply to all.
 */
export function robotsHeader(value: string | undefined): { readonly noindex: boolean; readonly nofollow: boolean } {
  let isForUs = true;
  const ours = new Set<string>();
  for (const part of (value ?? '').toLowerCase().split(',')) {
    const [, name, rest] = NAMED.exec(part.trim()) ?? [];
    const isName = name !== undefined && !WITH_VALUE.has(name);
    if (isName) isForUs = name === ROBOTS_TOKEN;
    if (isForUs) ours.add((isName ? (rest ?? '') : part).trim());
  }
  const none = ours.has('none');
  return { noindex: none || ours.has('noindex'), nofollow: none || ours.has('nofollow') };
}
