import type { FacetCounts, FacetField, PageIndex, SearchScope } from '../core/ports/page-index.ts';
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
    return fields.map((field) => countValues(field, pages, limit));
  };
}

function countValues(field: FacetField, pages: readonly PageFacts[], limit: number): FacetCounts {
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const value of new Set(valuesOf(page, field))) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const values = [...counts.keys()].sort();
  const [smallest, largest] = [values[0], values.at(-1)];
  const sorted = Array.from(counts, ([value, count]) => ({ value, count }));
  sorted.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  return {
    name: field.name,
    values: sorted.slice(0, limit),
    ...(smallest !== undefined && largest !== undefined && { range: [smallest, largest] as const }),
  };
}

function valuesOf(page: PageFacts, field: FacetField): readonly string[] {
  if (field.field === 'language') return page.language === undefined ? [] : [page.language];
  if (field.field !== 'facts') return page.tags;
  const { prefix } = field;
  return page.facts.filter((fact) => fact.startsWith(prefix)).map((fact) => fact.slice(prefix.length));
}
