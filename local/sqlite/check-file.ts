import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { FILE_NAME } from './schema.ts';
import { damagedFile, fileFailure } from './store-error.ts';

/** Checked in about 20 ms if the disk has it in memory. Larger files are checked while the service runs. */
const MAX_BYTES_AT_START = 20_000_000;

/**
 * Checks the file of a data folder for damage. Throws at once for a small file, and reports it later for a large one.
 */
export function checkFile(dataDir: string, report: (error: Error) => void): void {
  const file = join(dataDir, FILE_NAME);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0 && size <= MAX_BYTES_AT_START && isDamaged(file)) throw damagedFile(file);
  if (size <= MAX_BYTES_AT_START) return;
  const checker = new Worker(new URL(import.meta.url), { workerData: { fileToCheck: file } });
  checker.once('message', (damaged: boolean) => {
    if (damaged) report(damagedFile(file));
  });
  checker.on('error', report);
  checker.unref();
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

/** In the thread that `checkFile` has started. */
if (workerData?.fileToCheck !== undefined) parentPort?.postMessage(isDamaged(workerData.fileToCheck));
