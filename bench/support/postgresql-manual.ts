import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns the folder of the PostgreSQL 15 manual. */
export const postgresqlManual = (): string => debianFolder('postgresql-doc-15', 'usr/share/doc/postgresql-doc-15/html');

/** Returns a folder of a Debian package, which is downloaded once into the user's cache. */
export function debianFolder(packageName: string, folder: string): string {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'site-search', packageName);
  if (!existsSync(cache)) {
    const temporary = mkdtempSync(join(tmpdir(), 'site-search-'));
    run('apt-get', ['download', packageName], temporary);
    const file = readdirSync(temporary).find((name) => name.endsWith('.deb'));
    if (!file) throw new Error(`apt-get download ${packageName} downloaded no package`);
    run('dpkg-deb', ['-x', file, 'unpacked'], temporary);
    mkdirSync(join(cache, '..'), { recursive: true });
    renameSync(join(temporary, 'unpacked'), cache);
  }
  return join(cache, folder);
}

function run(command: string, args: readonly string[], cwd: string): void {
  try {
    execFileSync(command, args, { cwd, stdio: 'pipe' });
  } catch (cause) {
    throw new Error(`${command} ${args.join(' ')} failed. This bench needs a Debian package: run it on Debian`, {
      cause,
    });
  }
}
