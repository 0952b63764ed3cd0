import type { PageCandidate, PageGroup } from '../ports/page-index.ts';
import type { SiteSettings } from '../sites/site.ts';
import { pathOf } from '../web/url.ts';

type Boosted = Pick<PageCandidate, 'url' | 'tags'>;

/** The boost factors of a page. Factors of zero or less are ignored, as the contract says. */
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

/** Groups that need candidates of their own: pages that are boosted, and pages that are not demoted. */
export function boostedGroups({
  tagBoosts,
  urlBoosts,
}: Pick<SiteSettings, 'tagBoosts' | 'urlBoosts'>): readonly PageGroup[] {
  const group = (inside: boolean, matches: (boost: number) => boolean): readonly PageGroup[] => {
    const tags = tagBoosts.filter(({ boost }) => matches(boost)).map(({ tag }) => tag);
    const prefixes = urlBoosts.filter(({ boost }) => matches(boost)).map(({ urlPrefix }) => urlPrefix);
    const pathPrefixes = prefixes.filter((prefix) => prefix.startsWith('/'));
    const urlPrefixes = prefixes.filter((prefix) => !prefix.startsWith('/'));
    return tags.length + prefixes.length > 0 ? [{ inside, tags, pathPrefixes, urlPrefixes }] : [];
  };
  return [...group(true, (boost) => boost > 1), ...group(false, (boost) => boost > 0 && boost < 1)];
}
