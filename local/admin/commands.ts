import { epochSeconds } from '../../lambdas/domain/clock.ts';
import { NotFoundError } from '../../lambdas/domain/errors.ts';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import { createKey, listKeys, type NewKey, revokeAnyKey } from '../../lambdas/domain/sites/access/manage-keys.ts';
import {
  createOrganisation,
  listOrganisations,
  readOrganisation,
  setPlan,
} from '../../lambdas/domain/sites/access/organisation.ts';
import { Plan } from '../../lambdas/domain/sites/access/plan.ts';
import { Role } from '../../lambdas/domain/sites/access/role.ts';
import { clock, newId, newSecret } from '../../lambdas/runtime/system.ts';

export const USAGE = `Usage: npm run --silent admin -- [--data DIR | --stack NAME] COMMAND
  organisation create --name NAME --plan free|pro|enterprise
  organisation set-plan --org ID --plan free|pro|enterprise
  organisation list
  key create --org ID --role owner|admin|member --name NAME [--expires SECONDS_FROM_NOW]
  key revoke --key ID
  key list --org ID
  status --stack NAME
  index rebuild             fills the index from the stored pages, for one that is red, damaged or lost
  check [SITE] [--repair]   compares registry, texts and index of one site or all; exit code 1 if they disagree
  link                      makes a link that signs in to the dashboard of the running server, once
  crawl SITE [--wait]       starts a crawl; waits for its end, and fails if it fails
  export SITE               the settings of a site
  import SITE FILE          changes a site to the settings of a file
  backup FILE               copies the data, also while the server runs
  restore FILE              replaces the data by a backup; the server must be stopped
link and the commands below it work only on a data folder, not on a stack.
--data names the data folder of a local service (default .site-search), --stack a deployed stack. A stack is found by
the credentials and the region of your AWS profile (AWS_PROFILE, AWS_REGION).`;

/** The error of a command with wrong arguments. */
export class UsageError extends Error {}

/** Returns the usage of the command that the arguments begin with, or of all commands if there is no such command. */
export function usageOf(args: readonly string[]): string {
  const [heading = '', ...lines] = USAGE.split('\n');
  const named = [args.slice(0, 2).join(' '), args[0] ?? ''].map((name) =>
    lines.filter((line) => `${line} `.startsWith(`  ${name} `)),
  );
  const found = named.find(({ length }) => length > 0);
  return found ? [heading, ...found].join('\n') : USAGE;
}

export type Options = Readonly<
  Partial<Record<'name' | 'plan' | 'org' | 'role' | 'expires' | 'key' | 'stack' | 'data', string>>
>;

export const commands: Readonly<Record<string, (options: Options, table: Table) => Promise<object>>> = {
  'organisation create': async ({ name, plan }, table) => {
    const orgId = newId();
    await createOrganisation({ orgId, name: required('--name', name), plan: planOf(plan) }, { table, clock });
    return { orgId, apiKey: (await newKey(orgId, { name: 'first', role: 'owner' }, table)).apiKey };
  },
  'organisation set-plan': async ({ org, plan }, table) => {
    const orgId = required('--org', org);
    await setPlan(orgId, planOf(plan), table);
    return { orgId, plan };
  },
  'organisation list': async (_, table) => {
    const organisations = await listOrganisations(table);
    return {
      organisations: organisations.map(({ orgId, name, plan, createdAt }) => ({ orgId, name, plan, createdAt })),
    };
  },
  'key create': async ({ org, role, name, expires }, table) => {
    const key = { name: required('--name', name), role: roleOf(role), ...expiry(expires) };
    const { keyId, apiKey } = await newKey(required('--org', org), key, table);
    return { keyId, apiKey };
  },
  'key revoke': async ({ key }, table) => {
    const { keyId, revokedAt } = await revokeAnyKey(required('--key', key), { table, clock });
    return { keyId, revokedAt };
  },
  'key list': async ({ org }, table) => ({ keys: await allKeys(required('--org', org), table) }),
  status: async ({ stack }, table) => {
    const { stackStatus } = await import('./stack-status.ts');
    return stackStatus(required('--stack', stack), table);
  },
  'index rebuild': async ({ stack, data }, table) => {
    if (stack === undefined) {
      const { rebuildLocalIndex } = await import('./rebuild-local-index.ts');
      return rebuildLocalIndex(required('--data', data), table);
    }
    const { rebuildStackIndex } = await import('./rebuild-index.ts');
    return rebuildStackIndex(stack, table);
  },
};

/** Creates a key. The operator may create keys of every role. */
export const newKey = (orgId: string, key: NewKey, table: Table) =>
  createKey(key, { orgId, role: 'owner' }, { table, clock, newId, newSecret });

async function allKeys(orgId: string, table: Table): Promise<readonly object[]> {
  if (!(await readOrganisation(orgId, table))) throw new NotFoundError('Organisation');
  const keys: object[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await listKeys({ limit: 1000, cursor }, { orgId }, table);
    keys.push(...items);
    cursor = next;
  } while (cursor !== undefined);
  return keys;
}

function required(option: string, value: string | undefined): string {
  if (!value) throw new UsageError(`${option} is missing`);
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

function expiry(expires: string | undefined): Pick<NewKey, 'expiresAt'> {
  if (expires === undefined) return {};
  if (!/^[1-9]\d{0,9}$/.test(expires))
    throw new Error('--expires must be a number of seconds from now, such as 86400 for a day');
  return { expiresAt: epochSeconds(clock) + Number(expires) };
}
