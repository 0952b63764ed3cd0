import { getDomain } from 'tldts';

/**
 * Returns whether two URLs belong to one site, by host or registrable domain (Public Suffix List, private part too: two
 * users of github.io have two sites).
 */
export function sameSite(a: string, b: string): boolean {
  const [first, second] = [a, b].map((url) => URL.parse(url)?.hostname);
  if (!first || !second) return false;
  return first === second || (siteOf(first) !== null && siteOf(first) === siteOf(second));
}

const siteOf = (hostname: string): string | null => getDomain(hostname, { allowPrivateDomains: true });
