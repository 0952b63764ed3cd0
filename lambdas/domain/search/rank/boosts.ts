import { pathOf } from '../../../text/web/url.ts';
import type { SearchScope } from '../../ports/index-reader.ts';

export type Boosts = NonNullable<SearchScope['boosts']>;
type Boosted = { readonly url: string; readonly tags: readonly string[] };

const [LEAST, MOST] = [0.01, 100] as const;
/** Factor of a page whose URL shows that it lists other pages. It must not outrank the pages listed. */
const LISTING = 0.8;
const LISTING_URL =
  /\/(?:page|p|seite)[/-]\d+\/?(?:[?#]|$)|[?&](?:page|paged|seite)=\d+|\/page\d+(?:\.html?)?(?:[?#]|$)/i;

export const NO_BOOSTS: Boosts = { tagBoosts: [], urlBoosts: [] };

/** Returns an upper bound of `pageFactor`. */
export function greatestFactor({ tagBoosts, urlBoosts }: Boosts): number {
  if (tagBoosts.length + urlBoosts.length === 0) return 1;
  const raising = [...tagBoosts, ...urlBoosts].filter(({ boost }) => countsAsBoost(boost) && boost > 1);
  return raising.reduce((product, { boost }) => Math.min(MOST, product * boost), 1);
}

/** Returns the factor of a page's score: the product of its boosts, within 0.01 and 100. Lower for a list of pages. */
export function pageFactor(page: Boosted, { tagBoosts, urlBoosts }: Boosts): number {
  const path = urlBoosts.length > 0 ? pathOf(page.url) : '';
  let product = 1;
  for (const { tag, boost } of tagBoosts) if (countsAsBoost(boost) && page.tags.includes(tag)) product *= boost;
  for (const { urlPrefix, boost } of urlBoosts)
    if (countsAsBoost(boost) && (urlPrefix.startsWith('/') ? path : page.url).startsWith(urlPrefix)) product *= boost;
  return Math.min(MOST, Math.max(LEAST, product)) * (LISTING_URL.test(page.url) ? LISTING : 1);
}

/** Tells whether a boost counts. The contract ignores boosts of zero or less. */
export const countsAsBoost = (boost: number): boolean => boost > 0 && Number.isFinite(boost);
