import * as z from 'zod';
import { AppError } from '../../errors.ts';

export const Plan = z.enum(['free', 'pro', 'enterprise']);
export type Plan = z.infer<typeof Plan>;

const RANK: Readonly<Record<Plan, number>> = { free: 0, pro: 1, enterprise: 2 };

export const planIncludes = (plan: Plan, atLeast: Plan): boolean => RANK[plan] >= RANK[atLeast];

export const QUOTAS: Readonly<
  Record<
    Plan,
    {
      readonly sites: number;
      readonly groups: number;
      readonly pagesPerSite: number;
      readonly aiTokensPerMonth: number;
    }
  >
> = {
  free: { sites: 1, groups: 0, pagesPerSite: 500, aiTokensPerMonth: 100_000 },
  pro: { sites: 10, groups: 0, pagesPerSite: 10_000, aiTokensPerMonth: 5_000_000 },
  enterprise: { sites: 1000, groups: 100, pagesPerSite: 1_000_000, aiTokensPerMonth: 100_000_000 },
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

export const sitesLimit = (plan: Plan, used: number): AppError =>
  organisationLimit(plan, 'site', QUOTAS[plan].sites, used);
export const groupsLimit = (plan: Plan, used: number): AppError =>
  organisationLimit(plan, 'group', QUOTAS[plan].groups, used);

function organisationLimit(plan: Plan, what: string, quota: number, used: number): AppError {
  const message = `The ${plan} plan includes ${counted(quota, what)}, and the organisation has ${used}.`;
  return new AppError('plan_limit', `${message} Delete one or change the plan.`);
}

/** Returns why a site gets no more pages. A plan below the present use removes nothing. */
export const pagesLimit = (quota: number, used: number): string =>
  `The plan includes ${counted(quota, 'page')} per site, and this site has ${used}. Delete pages or change the plan.`;
