import { execFile } from 'node:child_process';

const ROOT = new URL('../../', import.meta.url).pathname;

export type CommandEnd = { readonly code: number; readonly stdout: string; readonly stderr: string };

export function run(
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<CommandEnd> {
  const options = { cwd: ROOT, env: { PATH: process.env.PATH, ...variables }, timeout: 15_000 };
  return new Promise((resolve) => {
    execFile(process.execPath, [`bin/${program}.ts`, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    );
  });
}

/** Runs `npm run admin`; returns the JSON object that it prints on success. */
export async function admin(dataDir: string, ...args: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { code, stdout, stderr } = await run('admin', ['--data', dataDir, ...args]);
  if (code !== 0) throw new Error(`admin ${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

export type Organisation = { readonly orgId: string; readonly apiKey: string };

export async function makeOrganisation(dataDir: string, plan: string): Promise<Organisation> {
  const { orgId = '', apiKey = '' } = await admin(dataDir, 'organisation', 'create', '--name', plan, '--plan', plan);
  return { orgId, apiKey };
}

export async function makeKey(dataDir: string, orgId: string, role: string): Promise<string> {
  const { apiKey = '' } = await admin(dataDir, 'key', 'create', '--org', orgId, '--role', role, '--name', role);
  return apiKey;
}
