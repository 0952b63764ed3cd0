import { type Clock, epochSeconds } from '../../clock.ts';
import { NotFoundError } from '../../errors.ts';
import { everyItem } from '../../every-item.ts';
import type { Key, Table, TableReader } from '../../ports/table.ts';
import type { Plan } from './plan.ts';

export type Organisation = {
  readonly orgId: string;
  readonly name: string;
  readonly plan: Plan;
  readonly createdAt: number;
  readonly sites: number;
  /** Absent if there are none. */
  readonly groups?: number;
};

export const organisationKey = (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'ORG' });

const PREFIX = 'ORG#';
const everyOrganisationKey = (orgId: string): Key => ({ pk: 'ORGS', sk: PREFIX + orgId });

export async function createOrganisation(
  { orgId, name, plan }: { readonly orgId: string; readonly name: string; readonly plan: Plan },
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<void> {
  await table.putMany([
    { ...organisationKey(orgId), orgId, name, plan, createdAt: epochSeconds(clock), sites: 0 },
    everyOrganisationKey(orgId),
  ]);
}

export const readOrganisation = (orgId: string, table: TableReader): Promise<Organisation | undefined> =>
  table.get<Organisation>(organisationKey(orgId));

/** Lists all organisations, oldest first. */
export async function listOrganisations(table: Table): Promise<readonly Organisation[]> {
  const keys: Key[] = [];
  for await (const { sk } of everyItem(table, 'ORGS', PREFIX)) keys.push(organisationKey(sk.slice(PREFIX.length)));
  return (await table.getMany<Organisation>(keys)).filter((organisation) => organisation !== undefined);
}

export async function setPlan(orgId: string, plan: Plan, table: Table): Promise<void> {
  const changed = await table.update(organisationKey(orgId), { set: { plan }, when: { exists: true } });
  if (!changed) throw new NotFoundError('Organisation');
}
