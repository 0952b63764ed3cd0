import { getDomain } from 'tldts';

/**
 * Whether two URLs are of one host, or of one registrable domain by the Public Suffix List with its private part: two users of
 * github.io are two sites.
 */
export function sameSite(a: string, b: string): boolean {
  const [first, second] = [a, b].map((url) => URL.parse(url)?.hostname);
  if (!first || !second) return false;
  return first === second || (siteOf(first) !== null && siteOf(first) === siteOf(second));
}

const siteOf = (hostname: string): string | null => getDomain(hostname, { allowPrivateDomains: true });
