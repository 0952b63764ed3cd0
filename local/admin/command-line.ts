import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { NotFoundError, UnavailableError } from '../../lambdas/domain/errors.ts';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import { createDataFolder } from '../sqlite/data-folder.ts';
import { FILE_NAME } from '../sqlite/schema.ts';
import { backup, restore } from './backup.ts';
import { commands, type Options, USAGE, UsageError, usageOf } from './commands.ts';
import { signInLink } from './sign-in-link.ts';

type Target = { readonly stack?: string | undefined; readonly data: string };
type FolderOptions = Target & { readonly wait: boolean };
type OpenTable = { readonly table: Table; readonly close: () => Promise<void> };

const STACK_COMMANDS = ['status'];
/**
 * The only command that creates a data folder. With any other, a misspelt folder would look like a service without
 * data.
 */
const FIRST_COMMAND = 'organisation create';
const FOLDER_COMMANDS = ['link', 'crawl', 'export', 'import', 'backup', 'restore'];

/** Opens the table of a deployed stack with the caller's AWS credentials, or else the table of a local data folder. */
async function openTable({ stack, data }: Target, command?: string): Promise<OpenTable> {
  if (stack !== undefined) {
    const { dynamoTable } = await import('../../lambdas/aws/dynamodb/dynamo-table.ts');
    const { resourceNames } = await import('../../lib/resource-names.ts');
    const { env } = await import('../../lambdas/env.ts');
    return { table: dynamoTable(resourceNames(stack).table, { url: env.DYNAMODB_URL }), close: async () => undefined };
  }
  const file = join(data, FILE_NAME);
  if (command !== FIRST_COMMAND && !existsSync(file)) throw new Error(`There is no ${file}: check --data`);
  const { table } = await import('../sqlite/table.ts');
  const { closeStore, openStore } = await import('../threads/open-store.ts');
  createDataFolder(data);
  await openStore(data);
  return { table, close: closeStore };
}

/** Runs a command with operands on a data folder. */
async function folderCommand([name = '', ...operands]: readonly string[], { data, wait, stack }: FolderOptions) {
  const operand = (index: number): string => {
    const value = operands[index];
    if (value === undefined) throw new UsageError(`${name} needs ${index === 0 ? 'an argument' : 'another argument'}`);
    return value;
  };
  if (!FOLDER_COMMANDS.includes(name)) return undefined;
  if (stack !== undefined) throw new Error(`${name} works on a data folder, not on a stack: use the API`);
  if (name === 'link') return signInLink(data);
  if (name === 'backup') return backup(data, operand(0));
  if (name === 'restore') return restore(data, operand(0));
  const { crawlSite, exportSite, importSite } = await import('./site-commands.ts');
  const { close } = await openTable({ data });
  try {
    if (name === 'crawl') return await crawlSite(operand(0), { wait, data });
    return name === 'export' ? await exportSite(operand(0)) : await importSite(operand(0), operand(1));
  } finally {
    await close();
  }
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    data: { ...text, default: '.site-search' },
    stack: text,
    name: text,
    plan: text,
    org: text,
    role: text,
    expires: text,
    key: text,
    wait: { type: 'boolean', default: false },
    repair: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Runs a command. Returns the output: the usage, or a JSON object. */
export async function run(args: readonly string[]): Promise<string> {
  const { values, positionals } = parsed(args);
  if (values.help) return USAGE;
  const [name, operand] = positionals;
  if (name === 'check') return JSON.stringify(await checkSites(operand, values));
  const made = (await folderCommand(positionals, values)) ?? (await runCommand(positionals.join(' '), values));
  return JSON.stringify(made);
}

/** Checks sites. Fails unless everything agrees or was repaired. */
async function checkSites(
  siteId: string | undefined,
  { repair, ...target }: Target & { readonly repair: boolean },
): Promise<object> {
  const { check } = await import('./check.ts');
  const { table, close } = await openTable(target);
  try {
    const result = await check({ siteId, repair, stack: target.stack }, table);
    if (!result.agrees) process.exitCode = 1;
    return result;
  } finally {
    await close();
  }
}

async function runCommand(name: string, values: Options & Target): Promise<object> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(name === '' ? 'Name a command' : `There is no command ${name}`);
  if (STACK_COMMANDS.includes(name) && !values.stack) throw new UsageError(`${name} needs --stack`);
  const { table, close } = await openTable(values, name);
  try {
    return await command(values, table);
  } finally {
    await close();
  }
}

/** Returns the lines of an error for the person who gave the command: what happened, and what to do. */
export function faultLines(error: unknown, args: readonly string[]): readonly string[] {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError) return [message, usageOf(args)];
  if (error instanceof NotFoundError)
    return [message, 'organisation list shows the ids of organisations, key list those of keys'];
  if (error instanceof UnavailableError && args.includes('--stack'))
    return [message, 'Check AWS_PROFILE, AWS_REGION and the name of the stack'];
  return [message];
}
