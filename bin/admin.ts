import { parseArgs } from 'node:util';
import type { Table } from '../lambdas/core/ports/table.ts';
import { commands, USAGE } from './admin/commands.ts';

type Target = { readonly stack?: string | undefined; readonly data: string };
type OpenTable = { readonly table: Table; readonly close: () => Promise<void> };

/** The table of a deployed stack, accessed with the caller's AWS credentials, or else of a local data folder. */
async function openTable({ stack, data }: Target): Promise<OpenTable> {
  if (stack !== undefined) {
    const { dynamoTable } = await import('../lambdas/adapters/aws/dynamodb/dynamo-table.ts');
    const { resourceNames } = await import('../lib/resource-names.ts');
    const { env } = await import('../lambdas/env.ts');
    return { table: dynamoTable(resourceNames(stack).table, { url: env.DYNAMODB_URL }), close: async () => undefined };
  }
  const { table } = await import('../lambdas/adapters/local/table.ts');
  const { closeEngine, openEngine } = await import('../lambdas/adapters/local/engine.ts');
  await openEngine(data);
  return { table, close: closeEngine };
}

async function main(args: readonly string[]): Promise<object> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      data: { ...text, default: '.site-search' },
      stack: text,
      name: text,
      plan: text,
      org: text,
      role: text,
      expires: text,
      key: text,
      help: { type: 'boolean' },
    },
  });
  const name = positionals.join(' ');
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || values.help || (name === 'status' && !values.stack)) throw new Error(USAGE);
  const { table, close } = await openTable(values);
  try {
    return await command(values, table);
  } finally {
    await close();
  }
}

try {
  console.log(JSON.stringify(await main(process.argv.slice(2))));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
