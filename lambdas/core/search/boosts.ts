import type { PageCandidate, PageGroup } from '../ports/page-index.ts';
import type { SiteSettings } from '../sites/site.ts';
import { pathOf } from '../web/url.ts';

type Boosted = Pick<PageCandidate, 'url' | 'tags'>;

/** The factors that a site's owner gave to a page. Those of zero or less are skipped, as the contract says. */
export function boostsOf(
  { url, tags }: Boosted,
  { tagBoosts, urlBoosts }: Pick<SiteSettings, 'tagBoosts' | 'urlBoosts'>,
): readonly number[] {
  const path = urlBoosts.length > 0 ? pathOf(url) : '';
  return [
    ...tagBoosts.filter(({ tag }) => tags.includes(tag)),
    ...urlBoosts.filter(({ urlPrefix }) => (urlPrefix.startsWith('/') ? path : url).startsWith(urlPrefix)),
  ].flatMap(({ boost }) => (boost > 0 ? [boost] : []));
}

/** Pages that need candidates of their own: those that are boosted, and those that are not deboosted. */
export function boostedGroups({
  tagBoosts,
  urlBoosts,
}: Pick<SiteSettings, 'tagBoosts' | 'urlBoosts'>): readonly PageGroup[] {
  const group = (inside: boolean, isOf: (boost: number) => boolean): readonly PageGroup[] => {
    const tags = tagBoosts.filter(({ boost }) => isOf(boost)).map(({ tag }) => tag);
    const prefixes = urlBoosts.filter(({ boost }) => isOf(boost)).map(({ urlPrefix }) => urlPrefix);
    const pathPrefixes = prefixes.filter((prefix) => prefix.startsWith('/'));
    const urlPrefixes = prefixes.filter((prefix) => !prefix.startsWith('/'));
    return tags.length + prefixes.length > 0 ? [{ inside, tags, pathPrefixes, urlPrefixes }] : [];
  };
  return [...group(true, (boost) => boost > 1), ...group(false, (boost) => boost > 0 && boost < 1)];
}
