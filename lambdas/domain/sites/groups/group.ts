import { NotFoundError } from '../../errors.ts';
import { everyItem } from '../../every-item.ts';
import type { Key, TableReader } from '../../ports/table.ts';
import type { Mcp, PublicAccess, RateLimits } from '../site-settings.ts';

/** A group of sites that are searched together. Every change raises `version`, so that no concurrent change is lost. */
export type SearchGroup = {
  readonly groupId: string;
  readonly orgId: string;
  readonly version: number;
  readonly name: string;
  readonly description?: string;
  /** Distinct ids. A deleted site may still be listed; reads leave it out. */
  readonly siteIds: readonly string[];
  readonly publicAccess: PublicAccess;
  /** Absent in a group that was stored before it could be set. */
  readonly mcp?: Mcp;
  readonly rateLimits: RateLimits;
  readonly createdAt: number;
};

export const groupKey = (groupId: string): Key => ({ pk: `GROUP#${groupId}`, sk: 'GROUP' });

const POINTER = 'GROUP#';
export const groupPointerKey = (orgId: string, groupId: string): Key => ({
  pk: `ORG#${orgId}`,
  sk: POINTER + groupId,
});

export const readGroup = (groupId: string, table: TableReader): Promise<SearchGroup | undefined> =>
  table.get<SearchGroup>(groupKey(groupId));

export async function ownGroup(groupId: string, orgId: string, table: TableReader): Promise<SearchGroup> {
  const group = await readGroup(groupId, table);
  if (group?.orgId !== orgId) throw new NotFoundError('Group');
  return group;
}

export async function groupsOf(orgId: string, table: TableReader): Promise<readonly SearchGroup[]> {
  const keys: Key[] = [];
  for await (const { sk } of everyItem(table, `ORG#${orgId}`, POINTER)) keys.push(groupKey(sk.slice(POINTER.length)));
  return (await table.getMany<SearchGroup>(keys)).filter((group) => group !== undefined);
}
