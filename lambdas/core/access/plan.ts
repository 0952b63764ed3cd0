import * as z from 'zod';

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
