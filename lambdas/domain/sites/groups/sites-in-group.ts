import type { TableReader } from '../../ports/table.ts';
import { readSites, type SiteRecord } from '../site.ts';
import type { SearchGroup } from './group.ts';

/** Returns the existing sites of a group. */
export async function sitesInGroup(
  { siteIds, orgId }: Pick<SearchGroup, 'siteIds' | 'orgId'>,
  table: TableReader,
): Promise<readonly SiteRecord[]> {
  const sites = await readSites(siteIds, table);
  return sites.filter((site) => site?.settings.orgId === orgId).filter((site) => site !== undefined);
}
