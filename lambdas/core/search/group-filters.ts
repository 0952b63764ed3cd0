import { AppError } from '../errors.ts';
import type { PageFilter } from '../ports/page-index.ts';
import type { SiteRecord } from '../sites/site.ts';
import { type Filters, pageFilters, unknownField } from './page-filters.ts';
import type { SearchedSite } from './search-pages.ts';

/**
 * The sites of a group that can have matching pages, each with the filters in the types of its own schema. A site that
 * lacks a field, or gives it a type that the value is not of, has none. What no site accepts is refused.
 */
export function groupFilters(filters: Filters = {}, sites: readonly SiteRecord[]): readonly SearchedSite[] {
  const { siteId, ...others } = filters;
  const wanted = siteId === undefined ? sites : sites.filter((site) => isWanted(site, siteId));
  const accepted = Object.entries(others).map(([name, value]) => acceptedBy(name, value, sites));
  return wanted.flatMap((site) => {
    const ofSite = accepted.map((bySite) => bySite.get(site));
    return ofSite.every((filter) => filter !== undefined) ? [{ site, filters: ofSite.flat() }] : [];
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

/** Throws if no site accepts the filter: that the value is invalid, or that no site has the field. */
function acceptedBy(
  name: string,
  value: Filters[string] & {},
  sites: readonly SiteRecord[],
): ReadonlyMap<SiteRecord, readonly PageFilter[]> {
  const accepted = new Map<SiteRecord, readonly PageFilter[]>();
  let refusal: AppError | undefined;
  for (const site of sites) {
    try {
      accepted.set(site, pageFilters({ [name]: value }, site.settings.metadataSchema));
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
