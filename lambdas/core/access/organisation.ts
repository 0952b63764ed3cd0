import { type Clock, epochSeconds } from '../clock.ts';
import { NotFoundError } from '../errors.ts';
import type { Table } from '../ports/table.ts';
import type { Plan } from './plan.ts';

export type Organisation = {
  readonly orgId: string;
  readonly name: string;
  readonly plan: Plan;
  readonly createdAt: number;
  readonly sites: number;
};

export const organisationKey = (orgId: string) => ({ pk: `ORG#${orgId}`, sk: 'ORG' });

export async function createOrganisation(
  { orgId, name, plan }: { readonly orgId: string; readonly name: string; readonly plan: Plan },
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<void> {
  await table.putMany([{ ...organisationKey(orgId), orgId, name, plan, createdAt: epochSeconds(clock), sites: 0 }]);
}

export const readOrganisation = (orgId: string, table: Table): Promise<Organisation | undefined> =>
  table.get<Organisation>(organisationKey(orgId));

export async function setPlan(orgId: string, plan: Plan, table: Table): Promise<void> {
  const changed = await table.update(organisationKey(orgId), { set: { plan }, when: { exists: true } });
  if (!changed) throw new NotFoundError('Organisation');
}
