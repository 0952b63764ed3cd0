import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PACKAGE = join(import.meta.dirname, '../../../packages/client');
const PACKAGES = join(import.meta.dirname, 'node_modules');

const execute = promisify(execFile);
/** Fails with what the command printed. */
async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await execute(command, args, { cwd }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return stdout;
}

/** Packs the client, has the package checked, and installs it into a folder, beside the packages of the adapters. */
export async function installPackedClient(folder: string): Promise<void> {
  const [{ filename }] = JSON.parse(
    await run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], PACKAGE),
  );
  const packed = join(folder, filename);
  const command = (name: string, ...args: readonly string[]) => run(join(PACKAGES, '.bin', name), args, folder);
  await command('publint', 'run', packed, '--strict');
  await command('attw', packed, '--ignore-rules', 'cjs-resolves-to-esm');

  const installed = join(folder, 'node_modules/@site-search/client');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', packed, '--strip-components=1', '-C', installed], folder);
  for (const name of await readdir(PACKAGES))
    if (!name.startsWith('.')) await symlink(join(PACKAGES, name), join(folder, 'node_modules', name));
}
