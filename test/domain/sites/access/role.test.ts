import { describe, expect, it } from '@jest/globals';
import { Plan, planIncludes, QUOTAS } from '../../../../lambdas/domain/sites/access/plan.ts';
import { Role, roleIncludes } from '../../../../lambdas/domain/sites/access/role.ts';

describe('a role', () => {
  it('a role includes itself and all lower ones', () => {
    const included = Role.options.map((role) => Role.options.filter((least) => roleIncludes(role, least)));
    expect(Object.fromEntries(Role.options.map((role, index) => [role, included[index]]))).toEqual({
      owner: ['owner', 'admin', 'member'],
      admin: ['admin', 'member'],
      member: ['member'],
    });
  });
});

describe('a plan', () => {
  it('a plan includes itself and all lower ones', () => {
    const included = (plan: Plan) => Plan.options.filter((least) => planIncludes(plan, least));
    expect(Plan.options.map(included)).toEqual([['free'], ['free', 'pro'], ['free', 'pro', 'enterprise']]);
  });

  it('a plan has at least the quotas of the plan below it', () => {
    expect(QUOTAS.free).toEqual({ sites: 1, groups: 0, pagesPerSite: 500, aiTokensPerMonth: 100_000 });
    const rising = (['sites', 'pagesPerSite', 'aiTokensPerMonth'] as const).map((quota) => {
      const { free, pro, enterprise } = QUOTAS;
      return free[quota] < pro[quota] && pro[quota] < enterprise[quota];
    });
    expect(rising).toEqual([true, true, true]);
  });
});
