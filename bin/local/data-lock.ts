import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Allows one server per data folder. The operating system releases the lock when the process ends or crashes. */
export function lockData(dataDir: string): { release(): void } {
  const lock = openLock(dataDir);
  try {
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new Error(`A server is running on ${dataDir}: stop it, or name another folder with --data`, { cause });
  }
  return { release: () => lock.close() };
}

function openLock(dataDir: string): DatabaseSync {
  try {
    return new DatabaseSync(join(dataDir, 'server.lock'));
  } catch (cause) {
    throw new Error(
      `The data folder ${dataDir} cannot be written: check its permissions, or name another with --data`,
      {
        cause,
      },
    );
  }
}
