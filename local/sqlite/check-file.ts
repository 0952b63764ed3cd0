import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FILE_NAME } from './schema.ts';
import { damagedFile, fileFailure } from './store-error.ts';

/**
 * The largest file that is checked at the start, which takes about 20 ms if it is cached in memory. Larger files are
 * checked while the service runs.
 */
const MAX_BYTES_AT_START = 20_000_000;
/** SQLite's default page size. Larger page sizes are multiples of it. */
const PAGE_BYTES = 4096;

/**
 * Throws if the file of a data folder is damaged. Returns the name of a file that is too large to be checked at the
 * start.
 */
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

/** Tells whether the file ends with a whole page. SQLite treats a truncated last page as one that ends in zeros. */
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

/** Runs SQLite's check of all pages, without comparing indexes with tables. */
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
