import { parseArgs } from 'node:util';
import { table } from '#adapters/table';
import { closeEngine, openEngine } from '../lambdas/adapters/local/engine.ts';
import { revokeApiKey } from '../lambdas/core/access/api-key.ts';
import { createOrganisation, readOrganisation, setPlan } from '../lambdas/core/access/organisation.ts';
import { Plan } from '../lambdas/core/access/plan.ts';
import { Role } from '../lambdas/core/access/role.ts';
import { clock, newId } from '../lambdas/runtime/world.ts';
import { newKey } from './local/local-key.ts';

const USAGE = `Usage: npm run --silent admin -- [--data DIR] COMMAND
  organisation create --name NAME --plan free|pro|enterprise
  organisation set-plan --org ID --plan free|pro|enterprise
  key create --org ID --role owner|admin|member --name NAME [--expires SECONDS_FROM_NOW]
  key revoke --key ID`;

type Options = Readonly<Partial<Record<'name' | 'plan' | 'org' | 'role' | 'expires' | 'key', string>>>;

const commands: Readonly<Record<string, (options: Options) => Promise<object>>> = {
  'organisation create': async ({ name, plan }) => {
    const orgId = newId();
    await createOrganisation({ orgId, name: given('--name', name), plan: planOf(plan) }, { table, clock });
    return { orgId, apiKey: await newKey({ orgId, name: 'first', role: 'owner' }) };
  },
  'organisation set-plan': async ({ org, plan }) => {
    const orgId = given('--org', org);
    await setPlan(orgId, planOf(plan), table);
    return { orgId, plan };
  },
  'key create': async ({ org, role, name, expires }) => {
    const orgId = given('--org', org);
    if (!(await readOrganisation(orgId, table))) throw new Error(`There is no organisation ${orgId}`);
    const key = { orgId, name: given('--name', name), role: roleOf(role), ...validity(expires) };
    const apiKey = await newKey(key);
    return { keyId: apiKey.split('_')[1], apiKey };
  },
  'key revoke': async ({ key }) => {
    const keyId = given('--key', key);
    return { keyId, revokedAt: await revokeApiKey(keyId, { table, clock }) };
  },
};

function given(option: string, value: string | undefined): string {
  if (!value) throw new Error(`${option} is missing\n${USAGE}`);
  return value;
}

function planOf(value: string | undefined): Plan {
  const plan = Plan.safeParse(given('--plan', value));
  if (!plan.success) throw new Error(`--plan is one of ${Plan.options.join(', ')}`);
  return plan.data;
}

function roleOf(value: string | undefined): Role {
  const role = Role.safeParse(given('--role', value));
  if (!role.success) throw new Error(`--role is one of ${Role.options.join(', ')}`);
  return role.data;
}

function validity(expires: string | undefined): { readonly validUntil?: number } {
  if (expires === undefined) return {};
  if (!/^[1-9]\d{0,9}$/.test(expires)) throw new Error('--expires takes a number of seconds from now');
  return { validUntil: Math.floor(clock() / 1000) + Number(expires) };
}

async function main(args: readonly string[]): Promise<object> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      data: { ...text, default: '.site-search' },
      name: text,
      plan: text,
      org: text,
      role: text,
      expires: text,
      key: text,
    },
  });
  const name = positionals.join(' ');
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new Error(USAGE);
  await openEngine(values.data);
  try {
    return await command(values);
  } finally {
    await closeEngine();
  }
}

try {
  console.log(JSON.stringify(await main(process.argv.slice(2))));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
