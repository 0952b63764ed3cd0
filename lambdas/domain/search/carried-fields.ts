import { factPrefix } from '../../text/fields/facts.ts';
import type { IndexReader } from '../ports/index-reader.ts';
import type { SiteRecord } from '../sites/site.ts';
import type { Filters } from './page-filters.ts';

const MAX_REMEMBERED = 10_000;
const FIELD_NAME = /^\w{1,64}$/;

/** Filter fields of every site. Groups have `siteId` too. */
export const BUILT_IN = ['tags', 'language', 'publishedAt', 'url'];
const NEVER_CARRIED: ReadonlySet<string> = new Set([...BUILT_IN, 'siteId']);

export type CarriedFieldDeps = {
  readonly index: Pick<IndexReader, 'facets'>;
  /**
   * Cache of the fields that pages carry, by site. A name stays after the last page with it is gone: a filter by it
   * then correctly finds nothing.
   */
  readonly carried?: Set<string>;
};

/**
 * Returns the sites with additional string fields: those of the filters that the schema does not declare but pages
 * carry. `pageFilters` then refuses a name that no page carries. With a cache, the index is queried once per site and
 * name found.
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
