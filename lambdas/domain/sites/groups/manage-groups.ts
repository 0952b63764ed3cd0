import { defined } from '../../../text/defined.ts';
import { type Clock, epochSeconds } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { retryWhenOvertaken } from '../../optimistic-retry.ts';
import type { Table, TableReader } from '../../ports/table.ts';
import type { Caller } from '../access/api-key.ts';
import { organisationKey, readOrganisation } from '../access/organisation.ts';
import { groupsLimit, QUOTAS } from '../access/plan.ts';
import { assertSettingsFit } from '../assert-settings-fit.ts';
import { mergedFields } from '../merge-fields.ts';
import { siteIdsOf } from '../site.ts';
import { mcpView, NEW_PUBLIC_ACCESS } from '../site-settings.ts';
import { groupKey, groupPointerKey, groupsOf, ownGroup, type SearchGroup } from './group.ts';
import type { CreateGroupRequest, UpdateGroupRequest } from './group-changes.ts';

type Owner = Pick<Caller, 'orgId' | 'plan'>;

export async function createGroup(
  request: CreateGroupRequest,
  { orgId, plan }: Owner,
  { table, clock, newId }: { readonly table: Table; readonly clock: Clock; readonly newId: () => string },
) {
  const { name, siteIds } = request;
  const fresh: SearchGroup = {
    groupId: newId(),
    orgId,
    version: 0,
    name,
    siteIds,
    createdAt: epochSeconds(clock),
    publicAccess: NEW_PUBLIC_ACCESS,
    rateLimits: {},
  };
  const group = applied(fresh, request);
  await assertOwnSites(group.siteIds, orgId, table);
  assertSettingsFit(group);
  const refused = await table.write([
    {
      update: organisationKey(orgId),
      add: { groups: 1 },
      when: { exists: true, below: { groups: QUOTAS[plan].groups } },
    },
    { put: { ...groupKey(group.groupId), ...group }, when: { exists: false } },
    { put: groupPointerKey(orgId, group.groupId) },
  ]);
  if (refused.length > 0) throw groupsLimit(plan, (await readOrganisation(orgId, table))?.groups ?? 0);
  return groupView(group, new Set(group.siteIds));
}

export async function listGroups({ orgId }: Pick<Owner, 'orgId'>, table: TableReader) {
  const [groups, sites] = await Promise.all([groupsOf(orgId, table), siteIdsOf(orgId, table)]);
  const present = new Set(sites);
  return groups.map((group) => groupView(group, present));
}

export async function getGroup(groupId: string, { orgId }: Pick<Owner, 'orgId'>, table: TableReader) {
  const group = await ownGroup(groupId, orgId, table);
  return groupView(group, new Set(await siteIdsOf(orgId, table)));
}

const ATTEMPTS = 100;

/** Applies concurrent changes one after the other, so that none is lost. */
export async function updateGroup(
  groupId: string,
  changes: UpdateGroupRequest,
  { orgId }: Pick<Owner, 'orgId'>,
  table: Table,
) {
  if (changes.siteIds) await assertOwnSites(changes.siteIds, orgId, table);
  const group = await retryWhenOvertaken(ATTEMPTS, 'other requests keep changing the group: try again', async () => {
    const before = await ownGroup(groupId, orgId, table);
    const next = applied(before, changes);
    assertSettingsFit(next);
    const refused = await table.write([
      { put: { ...groupKey(groupId), ...next }, when: { equals: { version: before.version } } },
    ]);
    return refused.length === 0 ? next : undefined;
  });
  return groupView(group, new Set(await siteIdsOf(orgId, table)));
}

function applied(group: SearchGroup, changes: UpdateGroupRequest): SearchGroup {
  const { publicAccess, mcp, rateLimits, siteIds, ...whole } = changes;
  return {
    ...mergedFields(group, whole, {}),
    version: group.version + 1,
    ...(siteIds && { siteIds: [...new Set(siteIds)] }),
    publicAccess: mergedFields(group.publicAccess, publicAccess ?? {}, NEW_PUBLIC_ACCESS),
    mcp: mergedFields(group.mcp ?? {}, mcp ?? {}, {}),
    rateLimits: mergedFields(group.rateLimits, rateLimits ?? {}, {}),
  };
}

/** Deletes the group but not its sites. */
export async function deleteGroup(groupId: string, { orgId }: Pick<Owner, 'orgId'>, table: Table): Promise<void> {
  await ownGroup(groupId, orgId, table);
  // The write is refused if another request has deleted the group since.
  await table.write([
    { remove: groupKey(groupId), when: { exists: true } },
    { remove: groupPointerKey(orgId, groupId) },
    { update: organisationKey(orgId), add: { groups: -1 } },
  ]);
}

function groupView(group: SearchGroup, present: ReadonlySet<string>) {
  const { groupId, name, description, siteIds, publicAccess, mcp, rateLimits, createdAt } = group;
  return {
    groupId,
    name,
    ...defined({ description }),
    siteIds: siteIds.filter((siteId) => present.has(siteId)),
    publicAccess: { ...NEW_PUBLIC_ACCESS, ...publicAccess },
    mcp: mcpView(mcp),
    rateLimits,
    createdAt,
  };
}

async function assertOwnSites(siteIds: readonly string[], orgId: string, table: Table): Promise<void> {
  const own = new Set(await siteIdsOf(orgId, table));
  const issues = siteIds.flatMap((siteId, index) =>
    own.has(siteId) ? [] : [{ path: `body.siteIds.${index}`, message: `there is no site ${siteId}` }],
  );
  const [first] = issues;
  if (first) throw new AppError('not_found', `Site not found: ${first.path}: ${first.message}`, { issues });
}
