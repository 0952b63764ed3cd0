import type { Clock } from '../../clock.ts';
import type { TableReader } from '../../ports/table.ts';
import { readOrganisation } from '../access/organisation.ts';
import { QUOTAS } from '../access/plan.ts';
import { monthOf, readAiUse, tokensOf } from './ai-usage.ts';

/** Whether the organisation's plan has tokens left for this month. A call that begins within it may exceed it. */
export async function isWithinAiBudget(
  orgId: string,
  { table, clock }: { readonly table: TableReader; readonly clock: Clock },
): Promise<boolean> {
  const [organisation, uses] = await Promise.all([
    readOrganisation(orgId, table),
    readAiUse(orgId, monthOf(clock), table),
  ]);
  return organisation !== undefined && tokensOf(uses) < QUOTAS[organisation.plan].aiTokensPerMonth;
}
