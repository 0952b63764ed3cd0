import type { FacetCounts, SearchScope } from '../domain/ports/index-reader.ts';
import type { PageIndex } from '../domain/ports/page-index.ts';
import { countValues } from '../domain/ports/rules/count-values.ts';
import type { OpenSite, OpenSites } from './open-site.ts';
import { filterTest, type PageFacts } from './page-facts.ts';

export function facetCounter(
  openSites: OpenSites,
): (query: Parameters<PageIndex['facets']>[0]) => readonly FacetCounts[] {
  const pagesOf = ({ filters = [] }: Omit<SearchScope, 'boosts'>, { segments }: OpenSite): readonly PageFacts[] => {
    const tests = filters.map(filterTest);
    const pages = segments.flatMap((segment) => segment.livePages());
    return pages.filter((page) => tests.every((test) => test(page)));
  };
  return ({ scopes, fields, limit }) => {
    const open = openSites(scopes);
    const pages = scopes.flatMap((scope, i) => pagesOf(scope, open[i] as OpenSite));
    return countValues(fields, pages, limit);
  };
}
