import { accessSync, constants, mkdirSync } from 'node:fs';

/** Creates the data folder if it is missing. Throws an error of one line that says what to do. */
export function createDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
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
