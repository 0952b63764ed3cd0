import type { PageFilter, SearchScope } from '../ports/index-reader.ts';
import type { SiteRecord } from '../sites/site.ts';
import type { Boosts } from './rank/boosts.ts';
import { storedUrlBoosts } from './results/shown-url.ts';

/**
 * A site with the filters of a request in the types of its metadata schema. If `filters` is undefined, none of its
 * pages match.
 */
export type SearchedSite = { readonly site: SiteRecord; readonly filters: readonly PageFilter[] | undefined };

export function scopesOf(sites: readonly SearchedSite[]): readonly SearchScope[] {
  return sites.flatMap(({ site, filters }) => {
    const { siteId } = site.settings;
    const { generation } = site.state;
    return filters ? [{ siteId, generation, filters, boosts: storedBoosts(site) }] : [];
  });
}

export const storedBoosts = (site: SiteRecord): Boosts => ({
  tagBoosts: site.settings.tagBoosts,
  urlBoosts: storedUrlBoosts(site),
});

export const languagesOf = (sites: readonly SiteRecord[]): readonly string[] => [
  ...new Set(sites.flatMap(({ state }) => state.languages ?? [])),
];

export const isNonEmpty = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0;
