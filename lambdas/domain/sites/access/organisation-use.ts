import type { Clock } from '../../clock.ts';
import { NotFoundError } from '../../errors.ts';
import type { TableReader } from '../../ports/table.ts';
import { type SiteState, siteIdsOf, stateKey } from '../site.ts';
import { monthOf, readAiUse, tokensOf } from '../usage/ai-usage.ts';
import type { Caller } from './api-key.ts';
import { readOrganisation } from './organisation.ts';
import { QUOTAS } from './plan.ts';

/** Returns the organisation of a key: its plan, the plan's quotas, and how much of them is used. */
export async function organisationUse(
  { orgId, role }: Pick<Caller, 'orgId' | 'role'>,
  { table, clock }: { readonly table: TableReader; readonly clock: Clock },
) {
  const [organisation, aiUse, pagesOfLargestSite] = await Promise.all([
    readOrganisation(orgId, table),
    readAiUse(orgId, monthOf(clock), table),
    mostPages(orgId, table),
  ]);
  if (!organisation) throw new NotFoundError('Organisation');
  const { name, plan, sites, groups = 0 } = organisation;
  const use = { sites, groups, pagesOfLargestSite, aiTokensThisMonth: tokensOf(aiUse) };
  return { orgId, name, plan, role, quotas: QUOTAS[plan], use };
}

async function mostPages(orgId: string, table: TableReader): Promise<number> {
  const states = await table.getMany<SiteState>((await siteIdsOf(orgId, table)).map(stateKey));
  return states.reduce((most, state) => Math.max(most, state?.pageCount ?? 0), 0);
}
