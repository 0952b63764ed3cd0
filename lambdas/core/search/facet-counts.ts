import { AppError } from '../errors.ts';
import { type FactKind, factPrefix, numberOfKey } from '../pages/facts.ts';
import type { PageCandidate } from '../ports/page-index.ts';
import type { SiteSettings } from '../sites/site.ts';
import type { MetadataField } from '../sites/site-settings.ts';

const MOST_VALUES = 100;

export type Facet = { readonly name: string; readonly label: string } & (
  | { readonly type: 'string'; readonly values: readonly { readonly value: string; readonly count: number }[] }
  | { readonly type: 'number'; readonly min: number; readonly max: number }
  | { readonly type: 'date'; readonly min: string; readonly max: string }
);

/**
 * The values of the named fields among the pages that passed. A number or date that no page has is left out. Where sites
 * type a field differently, the first site decides, and only the pages of sites with that type count.
 */
export function facetCounts(
  names: readonly string[],
  pages: readonly Pick<PageCandidate, 'siteId' | 'tags' | 'facts'>[],
  sites: readonly Pick<SiteSettings, 'siteId' | 'metadataSchema'>[],
): readonly Facet[] {
  return names.flatMap((name) => {
    if (name === 'tags')
      return [
        counted(
          { name, label: 'Tags' },
          pages.flatMap(({ tags }) => [...new Set(tags)]),
        ),
      ];
    const having = sites.flatMap(({ siteId, metadataSchema }) => {
      const field = metadataSchema.find((candidate) => candidate.name === name && candidate.facet);
      return field ? [{ siteId, field }] : [];
    });
    const field = having[0]?.field;
    if (!field)
      throw new AppError(
        'unknown_filter_field',
        `There is no facet ${name}: set \`facet: true\` for the field in the metadata schema`,
      );
    const siteIds = new Set(having.flatMap(({ siteId, field: { type } }) => (type === field.type ? siteId : [])));
    return facetOf(
      field,
      pages.filter(({ siteId }) => siteIds.has(siteId)),
    );
  });
}

function facetOf(
  { name, type, label = name }: MetadataField,
  pages: readonly Pick<PageCandidate, 'facts'>[],
): readonly Facet[] {
  const values = (kind: FactKind) => {
    const prefix = factPrefix(kind, name);
    return pages.flatMap(({ facts }) =>
      [...new Set(facts)].filter((fact) => fact.startsWith(prefix)).map((fact) => fact.slice(prefix.length)),
    );
  };
  if (type === 'string') return [counted({ name, label }, values('s'))];
  const sorted = values(type === 'number' ? 'n' : 'd').sort();
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return [];
  return [
    type === 'number'
      ? { name, label, type, min: numberOfKey(min), max: numberOfKey(max) }
      : { name, label, type, min, max },
  ];
}

function counted(named: { readonly name: string; readonly label: string }, values: readonly string[]): Facet {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const sorted = [...counts].sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1)).slice(0, MOST_VALUES);
  return { ...named, type: 'string', values: sorted.map(([value, count]) => ({ value, count })) };
}
