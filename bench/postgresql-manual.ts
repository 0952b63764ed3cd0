import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = 'postgresql-doc-15';
const HTML = 'usr/share/doc/postgresql-doc-15/html';

/** The folder of the PostgreSQL 15 manual, from Debian's package: fetched once, unpacked, kept in the user's cache. */
export function postgresqlManual(): string {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'site-search', PACKAGE);
  if (!existsSync(cache)) {
    const aside = mkdtempSync(join(tmpdir(), 'site-search-'));
    run('apt-get', ['download', PACKAGE], aside);
    const file = readdirSync(aside).find((name) => name.endsWith('.deb'));
    if (!file) throw new Error(`apt-get download ${PACKAGE} brought no package`);
    run('dpkg-deb', ['-x', file, 'unpacked'], aside);
    mkdirSync(join(cache, '..'), { recursive: true });
    renameSync(join(aside, 'unpacked'), cache);
  }
  return join(cache, HTML);
}

function run(command: string, args: readonly string[], cwd: string): void {
  try {
    execFileSync(command, args, { cwd, stdio: 'pipe' });
  } catch (cause) {
    throw new Error(`${command} ${args.join(' ')} failed: this bench needs Debian's package ${PACKAGE}`, { cause });
  }
}
