import type { CarriedFieldDeps } from '../search/carried-fields.ts';
import { filteredSites } from '../search/group-filters.ts';
import { type Filters, siteFilters } from '../search/page-filters.ts';
import type { SearchedSite } from '../search/searched-site.ts';
import type { SearchGroup } from '../sites/groups/group.ts';
import type { SiteRecord } from '../sites/site.ts';
import type { PublicAccess } from '../sites/site-settings.ts';

/** The site, or the sites of a group, that a chat answers from. */
export type ChatScope = {
  /** Partition key of the site or group. A session belongs to one. */
  readonly key: `SITE#${string}` | `GROUP#${string}`;
  readonly orgId: string;
  readonly publicAccess: PublicAccess;
  readonly sites: readonly SiteRecord[];
  /** Returns the sites with the filters of a request. Throws if a filter is invalid. */
  readonly searched: (filters: Filters | undefined, deps: CarriedFieldDeps) => Promise<readonly SearchedSite[]>;
};

export const siteScope = (site: SiteRecord): ChatScope => ({
  key: `SITE#${site.settings.siteId}`,
  orgId: site.settings.orgId,
  publicAccess: site.settings.publicAccess,
  sites: [site],
  searched: async (filters, deps) => [{ site, filters: await siteFilters(filters, site, deps) }],
});

export const groupScope = (group: SearchGroup, sites: readonly SiteRecord[]): ChatScope => ({
  key: `GROUP#${group.groupId}`,
  orgId: group.orgId,
  publicAccess: group.publicAccess,
  sites,
  searched: (filters, deps) => filteredSites(filters, sites, deps),
});
