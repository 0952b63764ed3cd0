import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SQLITE, sqliteCode } from './store-error.ts';

/** Allows one server per data folder. The operating system releases the lock when the process ends or crashes. */
export function lockData(dataDir: string): { release(): void } {
  const file = join(dataDir, 'server.lock');
  try {
    return locked(file, dataDir);
  } catch (error) {
    if (sqliteCode((error as Error).cause) !== SQLITE.notADatabase) throw error;
    rmSync(file); // garbage: a server holds no lock on it
    return locked(file, dataDir);
  }
}

function locked(file: string, dataDir: string): { release(): void } {
  const lock = openLock(file, dataDir);
  try {
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new Error(`A server is running on ${dataDir}: stop it, or name another folder with --data`, { cause });
  }
  return { release: () => lock.close() };
}

function openLock(file: string, dataDir: string): DatabaseSync {
  try {
    return new DatabaseSync(file);
  } catch (cause) {
    throw new Error(
      `The data folder ${dataDir} cannot be written: check its permissions, or name another with --data`,
      { cause },
    );
  }
}

/** Tells whether a server holds the lock of a data folder. */
export function serverRuns(dataDir: string): boolean {
  if (!existsSync(join(dataDir, 'server.lock'))) return false;
  try {
    lockData(dataDir).release();
    return false;
  } catch {
    return true;
  }
}
