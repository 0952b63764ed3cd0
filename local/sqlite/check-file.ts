import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FILE_NAME } from './schema.ts';
import { damagedFile, fileFailure } from './store-error.ts';

/** Checked in about 20 ms if the disk has it in memory. Larger files are checked while the service runs. */
const MAX_BYTES_AT_START = 20_000_000;
/** SQLite's default size of a page, and a part of every larger one. */
const PAGE_BYTES = 4096;

/** Throws if the file of a data folder is damaged. Returns its name if it is too large to be checked at the start. */
export function checkFile(dataDir: string): string | undefined {
  const file = join(dataDir, FILE_NAME);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory())
    throw new Error(`${file} is a folder: move it away and restore a backup, or name another folder with --data`);
  const size = found?.size ?? 0;
  if (size > 0 && !hasWholePages(file)) throw damagedFile(file);
  if (size > MAX_BYTES_AT_START) return file;
  if (size > 0 && isDamaged(file)) throw damagedFile(file);
  return undefined;
}

/** SQLite takes a last page that was cut off for one that ends in zeros. */
function hasWholePages(file: string): boolean {
  if (statSync(file).size % PAGE_BYTES === 0) return true;
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)'); // a crash may have left the page in the write-ahead log only
  } catch (error) {
    if (fileFailure(error) === 'damaged') return false;
    throw error;
  } finally {
    database.close();
  }
  return statSync(file).size % PAGE_BYTES === 0;
}

/** SQLite's own check of all pages, without the comparison of indexes and tables. */
export function isDamaged(file: string): boolean {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const [row] = database.prepare('PRAGMA quick_check(1)').all();
    return row?.quick_check !== 'ok';
  } catch (error) {
    if (fileFailure(error) === 'damaged') return true;
    throw error;
  } finally {
    database.close();
  }
}
