import { factPrefix } from '../../text/fields/facts.ts';
import type { IndexReader } from '../ports/index-reader.ts';
import type { SiteRecord } from '../sites/site.ts';
import type { Filters } from './page-filters.ts';

const MAX_REMEMBERED = 10_000;
const FIELD_NAME = /^\w{1,64}$/;

/** Fields of every site; `siteId` is one of groups. */
export const BUILT_IN = ['tags', 'language', 'publishedAt', 'url'];
const NEVER_CARRIED: ReadonlySet<string> = new Set([...BUILT_IN, 'siteId']);

export type CarriedFieldDeps = {
  readonly index: Pick<IndexReader, 'facets'>;
  /**
   * Fields that pages were found to carry, by site, if the process remembers them. A name stays when the last page with
   * it is gone: a filter by it finds nothing, as it should.
   */
  readonly carried?: Set<string>;
};

/**
 * The sites, with the fields of the filters that no schema declares but pages carry, as strings. A name that no page
 * carries is left to `pageFilters` to refuse: it is misspelt. The index is asked once for each
 * site and name by a process that remembers them.
 */
export async function withCarriedFields(
  sites: readonly SiteRecord[],
  filters: Filters | undefined,
  deps: CarriedFieldDeps,
): Promise<readonly SiteRecord[]> {
  const names = Object.keys(filters ?? {}).filter((name) => FIELD_NAME.test(name) && !NEVER_CARRIED.has(name));
  if (names.length === 0) return sites;
  return Promise.all(sites.map((site) => withCarried(site, names, deps)));
}

async function withCarried(
  site: SiteRecord,
  names: readonly string[],
  { index, carried = new Set() }: CarriedFieldDeps,
): Promise<SiteRecord> {
  const { siteId, metadataSchema } = site.settings;
  const undeclared = names.filter((name) => !metadataSchema.some((field) => field.name === name));
  if (undeclared.length === 0) return site;
  const idOf = (name: string) => `${siteId} ${name}`;
  const unknown = undeclared.filter((name) => !carried.has(idOf(name)));
  if (unknown.length > 0) {
    const fields = unknown.map((name) => ({ name, field: 'facts', prefix: factPrefix('s', name) }) as const);
    const { generation } = site.state;
    const found = await index.facets({ scopes: [{ siteId, generation }], fields, limit: 1 });
    if (carried.size > MAX_REMEMBERED) carried.clear();
    for (const { name, values } of found) if (values.length > 0) carried.add(idOf(name));
  }
  const added = undeclared.filter((name) => carried.has(idOf(name))).map((name) => ({ name, type: 'string' }) as const);
  return { ...site, settings: { ...site.settings, metadataSchema: [...metadataSchema, ...added] } };
}
