import { AppError } from '../errors.ts';
import type { PageFilter } from '../ports/index-reader.ts';
import type { SiteRecord } from '../sites/site.ts';
import { type CarriedFieldDeps, withCarriedFields } from './carried-fields.ts';
import { type Filters, pageFilters, unknownField } from './page-filters.ts';
import type { SearchedSite } from './searched-site.ts';

/** Returns the sites of a group with the filters of a request. Accepts fields that only pages carry. */
export async function filteredSites(
  filters: Filters | undefined,
  sites: readonly SiteRecord[],
  deps: CarriedFieldDeps,
): Promise<readonly SearchedSite[]> {
  const searched = groupFilters(filters, await withCarriedFields(sites, filters, deps));
  return searched.map((found, i) => ({ ...found, site: sites[i] ?? found.site }));
}

/**
 * Returns the sites of a group, each with the filters in the types of its own schema. A site that cannot match has
 * `filters: undefined`: it is not wanted, lacks a field, or has another type for it. Throws if no site accepts a
 * filter.
 */
export function groupFilters(filters: Filters = {}, sites: readonly SiteRecord[]): readonly SearchedSite[] {
  const { siteId, ...others } = filters;
  const accepted = Object.entries(others).map(([name, value]) => acceptedBy(name, value, sites));
  return sites.map((site) => {
    const ofSite = accepted.map((bySite) => bySite.get(site));
    const canMatch = siteId === undefined || isWanted(site, siteId);
    return { site, filters: canMatch && ofSite.every((filter) => filter !== undefined) ? ofSite.flat() : undefined };
  });
}

function isWanted({ settings }: SiteRecord, wanted: Filters[string]): boolean {
  if (typeof wanted === 'object' && !Array.isArray(wanted)) {
    const message = 'must be an id or a list of ids, not a range';
    const issues = [{ path: 'filters.siteId', message }];
    throw new AppError('invalid_request', `Invalid request: filters.siteId ${message}`, { issues });
  }
  return [wanted].flat().includes(settings.siteId);
}

/** Maps each site that accepts the filter to it. If none does, throws: the value is invalid or the field unknown. */
function acceptedBy(
  name: string,
  value: Filters[string] & {},
  sites: readonly SiteRecord[],
): ReadonlyMap<SiteRecord, readonly PageFilter[]> {
  const accepted = new Map<SiteRecord, readonly PageFilter[]>();
  let refusal: AppError | undefined;
  for (const site of sites) {
    try {
      accepted.set(site, pageFilters({ [name]: value }, site));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (refusal?.code !== 'invalid_request') refusal = error;
    }
  }
  if (accepted.size > 0 || !refusal) return accepted;
  if (refusal.code === 'invalid_request') throw refusal;
  const fields = sites.flatMap(({ settings }) => settings.metadataSchema.map((field) => field.name));
  throw unknownField(name, ['siteId', ...fields]);
}
