import { getDomain } from 'tldts';

/**
 * Whether two URLs share a host or a registrable domain. The Public Suffix List is used with its private part: two
 * users of github.io have two sites.
 */
export function sameSite(a: string, b: string): boolean {
  const [first, second] = [a, b].map((url) => URL.parse(url)?.hostname);
  if (!first || !second) return false;
  return first === second || (siteOf(first) !== null && siteOf(first) === siteOf(second));
}

const siteOf = (hostname: string): string | null => getDomain(hostname, { allowPrivateDomains: true });
