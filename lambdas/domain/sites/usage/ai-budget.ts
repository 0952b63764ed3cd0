import type { Clock } from '../../clock.ts';
import { dayOf } from '../../ports/rules/days.ts';
import type { TableReader } from '../../ports/table.ts';
import { readOrganisation } from '../access/organisation.ts';
import { QUOTAS } from '../access/plan.ts';
import { type AiUseOfDay, monthOf, readAiUseByDay, tokensOf } from './ai-usage.ts';

/** Visitors may use this share of the month's tokens in a day, so that they leave some for pages and for other days. */
const CHATS_OF_A_DAY = 0.1;

type Deps = { readonly table: TableReader; readonly clock: Clock };

/** Whether the organisation's plan has tokens left for this month. A call that begins within it may exceed it. */
export async function isWithinAiBudget(orgId: string, deps: Deps): Promise<boolean> {
  const { most, uses } = await budgetOf(orgId, deps);
  return tokensOf(uses) < most;
}

/** Whether there are also tokens left for the chats of today. */
export async function isWithinChatBudget(orgId: string, deps: Deps): Promise<boolean> {
  const { most, uses } = await budgetOf(orgId, deps);
  const today = dayOf(deps.clock());
  const chats = uses.filter(({ kind, day }) => kind === 'chat' && day === today);
  return tokensOf(uses) < most && tokensOf(chats) < most * CHATS_OF_A_DAY;
}

async function budgetOf(
  orgId: string,
  { table, clock }: Deps,
): Promise<{ readonly most: number; readonly uses: readonly AiUseOfDay[] }> {
  const [organisation, uses] = await Promise.all([
    readOrganisation(orgId, table),
    readAiUseByDay(orgId, monthOf(clock), table),
  ]);
  return { most: organisation ? QUOTAS[organisation.plan].aiTokensPerMonth : 0, uses };
}
