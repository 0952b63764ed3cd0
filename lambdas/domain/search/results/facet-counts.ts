import { type FactKind, factPrefix, numberOfKey } from '../../../text/fields/facts.ts';
import { AppError } from '../../errors.ts';
import type { FacetCounts, FacetField, IndexReader, PageCandidate, SearchScope } from '../../ports/index-reader.ts';
import { countValues } from '../../ports/rules/count-values.ts';
import type { MetadataField } from '../../sites/metadata-schema.ts';
import type { SiteSettings } from '../../sites/site.ts';

const MAX_VALUES = 100;

export type Facet = { readonly name: string; readonly label: string } & (
  | { readonly type: 'string'; readonly values: readonly { readonly value: string; readonly count: number }[] }
  | { readonly type: 'number'; readonly min: number; readonly max: number }
  | { readonly type: 'date'; readonly min: string; readonly max: string }
);

/** A facet of one or several sites. Only the pages of `siteIds` count. */
export type FacetOfSites = Pick<Facet, 'name' | 'label' | 'type'> & {
  readonly field: FacetField;
  readonly siteIds: ReadonlySet<string>;
};

type SchemaOfSite = Pick<SiteSettings, 'siteId' | 'metadataSchema'>;
type FacetedPage = Pick<PageCandidate, 'siteId' | 'language' | 'tags' | 'facts'>;

const KINDS: Readonly<Record<MetadataField['type'], FactKind>> = { string: 's', number: 'n', date: 'd' };

/** Facets of every site. */
const LABELS = { tags: 'Tags', language: 'Language' } as const;

/** Returns all facets of the sites, or those named. If sites type a field differently, the first site's type counts. */
export function facetsOf(sites: readonly SchemaOfSite[], names?: readonly string[]): readonly FacetOfSites[] {
  const fields = sites.flatMap(({ metadataSchema }) => metadataSchema.filter(({ facet }) => facet));
  const all = names ?? [...new Set([...Object.keys(LABELS), ...fields.map(({ name }) => name)])];
  const allSites = new Set(sites.map(({ siteId }) => siteId));
  return all.map((name) => {
    if (name === 'tags' || name === 'language')
      return { name, label: LABELS[name], type: 'string', field: { name, field: name }, siteIds: allSites };
    const field = fields.find((candidate) => candidate.name === name);
    if (!field) throw noFacet(name);
    const isSame = (other: MetadataField) => other.facet && other.name === name && other.type === field.type;
    const having = sites.filter(({ metadataSchema }) => metadataSchema.some(isSame));
    return {
      name,
      label: field.label ?? name,
      type: field.type,
      field: { name, field: 'facts', prefix: factPrefix(KINDS[field.type], name) },
      siteIds: new Set(having.map(({ siteId }) => siteId)),
    };
  });
}

const noFacet = (name: string): AppError =>
  new AppError(
    'unknown_filter_field',
    `There is no facet ${name}: set \`facet: true\` for the field in the metadata schema`,
  );

/** Counts the facets of these pages. Leaves out a number or date that no page has. */
export function facetsAmong(facets: readonly FacetOfSites[], pages: readonly FacetedPage[]): readonly Facet[] {
  const counts = new Map<FacetOfSites, FacetCounts>();
  for (const same of bySites(facets)) {
    const [{ siteIds }] = same as [FacetOfSites];
    const counted = pages.filter(({ siteId }) => siteIds.has(siteId));
    const fields = same.map(({ field }) => field);
    for (const [index, found] of countValues(fields, counted, MAX_VALUES).entries())
      counts.set(same[index] as FacetOfSites, found);
  }
  return facets.flatMap((facet) => shown(facet, counts.get(facet) ?? { name: facet.name, values: [] }));
}

/** Counts the facets of all pages that pass the filters of the scopes. Leaves out a number or date that no page has. */
export async function facetsInIndex(
  facets: readonly FacetOfSites[],
  scopes: readonly SearchScope[],
  index: IndexReader,
): Promise<readonly Facet[]> {
  const counts = new Map<string, FacetCounts>();
  for (const same of bySites(facets)) {
    const [{ siteIds }] = same as [FacetOfSites];
    const [first, ...more] = scopes.filter(({ siteId }) => siteIds.has(siteId));
    if (!first) continue;
    const fields = same.map(({ field }) => field);
    for (const found of await index.facets({ scopes: [first, ...more], fields, limit: MAX_VALUES }))
      counts.set(found.name, found);
  }
  return facets.flatMap((facet) => shown(facet, counts.get(facet.name) ?? { name: facet.name, values: [] }));
}

const bySites = (facets: readonly FacetOfSites[]): Iterable<readonly FacetOfSites[]> =>
  Map.groupBy(facets, ({ siteIds }) => [...siteIds].join()).values();

function shown({ name, label, type }: FacetOfSites, { values, range }: FacetCounts): readonly Facet[] {
  if (type === 'string') return [{ name, label, type, values }];
  if (!range) return [];
  const [min, max] = range;
  return [
    type === 'number'
      ? { name, label, type, min: numberOfKey(min), max: numberOfKey(max) }
      : { name, label, type, min, max },
  ];
}
