import type { Clock } from '../../clock.ts';
import { dayOf } from '../../ports/rules/days.ts';
import type { TableReader } from '../../ports/table.ts';
import { readOrganisation } from '../access/organisation.ts';
import { QUOTAS } from '../access/plan.ts';
import { type AiUseOfDay, monthOf, readAiUseByDay, tokensOf } from './ai-usage.ts';

/** Share of the month's tokens that visitors may use in a day. The rest is left for pages and for other days. */
const CHATS_OF_A_DAY = 0.1;

type Deps = { readonly table: TableReader; readonly clock: Clock };

/**
 * Returns whether the organisation's plan has tokens left for this month. A call that begins within the budget may
 * exceed it.
 */
export async function isWithinAiBudget(orgId: string, deps: Deps): Promise<boolean> {
  const { most, uses } = await budgetOf(orgId, deps);
  return tokensOf(uses) < most;
}

/** Returns whether there are also tokens left for today's chats. */
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
