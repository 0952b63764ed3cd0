import { chmodSync, closeSync, copyFileSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, backup as onlineBackup } from 'node:sqlite';
import { isDamaged } from '../sqlite/check-file.ts';
import { createDataFolder } from '../sqlite/data-folder.ts';
import { lockData } from '../sqlite/data-lock.ts';
import { APPLICATION_ID, FILE_NAME } from '../sqlite/schema.ts';

/** The mode of a backup's file: readable by its owner only, since it has hashes of API keys. */
const OWNER_ONLY = 0o600;
/** The number of pages that are copied before writers get a turn. */
const RATE = 1000;

/** Copies the data as of one moment, even while a server writes. Returns the size of the copy. */
export async function backup(dataDir: string, file: string): Promise<object> {
  const source = join(dataDir, FILE_NAME);
  if (!existsSync(source)) throw new Error(`There is no ${source}: check --data`);
  if (existsSync(file)) throw new Error(`${file} is there already: name another file, or remove it`);
  const database = new DatabaseSync(source, { readOnly: true });
  const part = `${file}.part`;
  try {
    closeSync(openSync(part, 'w', OWNER_ONLY));
    await onlineBackup(database, part, { rate: RATE });
    renameSync(part, file); // a file with this name is always complete
  } catch (cause) {
    rmSync(part, { force: true });
    throw new Error(`The backup ${file} could not be written: check its folder and the space on its disk`, { cause });
  } finally {
    database.close();
  }
  return { file, bytes: statSync(file).size };
}

/** Replaces the data by a backup. Keeps the present data with the ending `.before-restore`. */
export function restore(dataDir: string, file: string): object {
  if (!existsSync(file)) throw new Error(`There is no file ${file}: check the path`);
  if (!isBackup(file)) throw new Error(`${file} is not a backup of this service, or is damaged`);
  createDataFolder(dataDir);
  const lock = lockData(dataDir);
  try {
    const target = join(dataDir, FILE_NAME);
    const part = `${target}.part`;
    copyFileSync(file, part);
    chmodSync(part, OWNER_ONLY);
    const previous = `${target}.before-restore`;
    if (existsSync(target)) {
      checkpoint(target);
      renameSync(target, previous);
    }
    for (const ending of ['-wal', '-shm']) rmSync(target + ending, { force: true });
    renameSync(part, target);
    return { restored: target, ...(existsSync(previous) && { previous }) };
  } finally {
    lock.release();
  }
}

function isBackup(file: string): boolean {
  if (!existsSync(file) || isDamaged(file)) return false;
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare('PRAGMA application_id').get()?.application_id === APPLICATION_ID;
  } finally {
    database.close();
  }
}

/**
 * Moves the contents of the write-ahead log into the file, so that the file alone is complete. Leaves a damaged file as
 * it is.
 */
function checkpoint(file: string): void {
  try {
    const database = new DatabaseSync(file);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
  } catch {
    // A damaged file is replaced, so its log is not needed.
  }
}
