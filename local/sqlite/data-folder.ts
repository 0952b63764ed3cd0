import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Creates the data folder if it is missing. Throws an error whose one-line message says what to do. */
export function createDataFolder(dataDir: string): void {
  try {
    createFolders(resolve(dataDir));
  } catch (cause) {
    const advice = 'check the permissions of its parent, or name another with --data';
    throw new Error(`The data folder ${dataDir} cannot be created: ${advice}`, { cause });
  }
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const advice = 'check its permissions, or name another with --data';
    throw new Error(`The data folder ${dataDir} cannot be written: ${advice}`, { cause });
  }
}

/**
 * Creates folders one by one: the recursive `mkdirSync` never ends where the system denies that a parent exists, as in
 * /proc.
 */
function createFolders(folder: string): void {
  if (existsSync(folder)) return;
  createFolders(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}
