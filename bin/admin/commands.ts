import { revokeApiKey } from '../../lambdas/core/access/api-key.ts';
import { createOrganisation, readOrganisation, setPlan } from '../../lambdas/core/access/organisation.ts';
import { Plan } from '../../lambdas/core/access/plan.ts';
import { Role } from '../../lambdas/core/access/role.ts';
import type { Table } from '../../lambdas/core/ports/table.ts';
import { clock, newId } from '../../lambdas/runtime/system.ts';
import { newKey } from './new-key.ts';

export const USAGE = `Usage: npm run --silent admin -- [--data DIR | --stack NAME] COMMAND
  organisation create --name NAME --plan free|pro|enterprise
  organisation set-plan --org ID --plan free|pro|enterprise
  key create --org ID --role owner|admin|member --name NAME [--expires SECONDS_FROM_NOW]
  key revoke --key ID
  status --stack NAME
A stack is found by the credentials and the region of your AWS profile (AWS_PROFILE, AWS_REGION).`;

export type Options = Readonly<Partial<Record<'name' | 'plan' | 'org' | 'role' | 'expires' | 'key' | 'stack', string>>>;

export const commands: Readonly<Record<string, (options: Options, table: Table) => Promise<object>>> = {
  'organisation create': async ({ name, plan }, table) => {
    const orgId = newId();
    await createOrganisation({ orgId, name: required('--name', name), plan: planOf(plan) }, { table, clock });
    return { orgId, apiKey: await newKey({ orgId, name: 'first', role: 'owner' }, table) };
  },
  'organisation set-plan': async ({ org, plan }, table) => {
    const orgId = required('--org', org);
    await setPlan(orgId, planOf(plan), table);
    return { orgId, plan };
  },
  'key create': async ({ org, role, name, expires }, table) => {
    const orgId = required('--org', org);
    if (!(await readOrganisation(orgId, table))) throw new Error(`There is no organisation ${orgId}: check --org`);
    const key = { orgId, name: required('--name', name), role: roleOf(role), ...validity(expires) };
    const apiKey = await newKey(key, table);
    return { keyId: apiKey.split('_')[1], apiKey };
  },
  'key revoke': async ({ key }, table) => {
    const keyId = required('--key', key);
    return { keyId, revokedAt: await revokeApiKey(keyId, { table, clock }) };
  },
  status: async ({ stack }, table) => {
    const { stackStatus } = await import('./stack-status.ts');
    return stackStatus(required('--stack', stack), table);
  },
};

function required(option: string, value: string | undefined): string {
  if (!value) throw new Error(`${option} is missing\n${USAGE}`);
  return value;
}

function planOf(value: string | undefined): Plan {
  const plan = Plan.safeParse(required('--plan', value));
  if (!plan.success) throw new Error(`--plan must be one of ${Plan.options.join(', ')}`);
  return plan.data;
}

function roleOf(value: string | undefined): Role {
  const role = Role.safeParse(required('--role', value));
  if (!role.success) throw new Error(`--role must be one of ${Role.options.join(', ')}`);
  return role.data;
}

function validity(expires: string | undefined): { readonly validUntil?: number } {
  if (expires === undefined) return {};
  if (!/^[1-9]\d{0,9}$/.test(expires))
    throw new Error('--expires must be a number of seconds from now, such as 86400 for a day');
  return { validUntil: Math.floor(clock() / 1000) + Number(expires) };
}
