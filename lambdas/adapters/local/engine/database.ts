import { accessSync, closeSync, constants, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openFailure } from './open-failure.ts';
import { APPLICATION_ID, bringToFormat, FORMAT } from './schema.ts';
import { SQLITE, sqliteCode } from './sqlite-error.ts';

const FILE_NAME = 'site-search.sqlite';

/** How long another process may keep the file locked while it is opened. */
const OPENING_MS = 3000;
const RETRY_MS = 20;
/** And afterwards, when what only reads waits meanwhile. */
const BUSY_MS = 50;

/**
 * Opens the one file of a data folder and brings it to this version's format; both are made if they are not there.
 * An answered commit survives a power cut. Throws an Error of one line that says what to do.
 */
export function openDatabase(dataDir: string): DatabaseSync {
  const file = join(dataDir, FILE_NAME);
  let database: DatabaseSync | undefined;
  try {
    makeFile(dataDir, file);
    database = new DatabaseSync(file, { timeout: OPENING_MS });
    bringUpToDate(database, file);
    configure(database);
    return database;
  } catch (error) {
    database?.close();
    throw openFailure(error, dataDir, file);
  }
}

/** The file holds hashes of keys and visitors' words, so it is for its owner alone; SQLite gives its companions the same mode. */
function makeFile(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  accessSync(dataDir, constants.W_OK | constants.X_OK);
  closeSync(openSync(file, 'a', 0o600));
}

/** One write transaction, so that of two processes that open a new file one makes the schema and the other finds it. */
function bringUpToDate(database: DatabaseSync, file: string): void {
  database.exec('BEGIN IMMEDIATE');
  const format = formatOf(database, file);
  if (format > FORMAT) {
    const versions = `format ${format}, this one knows ${FORMAT}`;
    throw new Error(`${file} was written by a newer version (${versions}): update, or name another folder with --data`);
  }
  if (format < FORMAT) {
    bringToFormat(database, format);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`PRAGMA user_version = ${FORMAT}`);
  }
  database.exec('COMMIT');
}

function formatOf(database: DatabaseSync, file: string): number {
  const header = database.prepare(
    `SELECT (SELECT application_id FROM pragma_application_id) AS applicationId,
            (SELECT user_version FROM pragma_user_version) AS format,
            (SELECT count(*) FROM sqlite_schema) AS objects`,
  );
  const { applicationId, format, objects } = header.get() ?? {};
  const isNew = applicationId === 0 && format === 0 && objects === 0;
  if (applicationId !== APPLICATION_ID && !isNew) {
    throw new Error(`${file} belongs to another application: move it away, or name another folder with --data`);
  }
  return Number(format);
}

function configure(database: DatabaseSync): void {
  whenFree(() => database.exec('PRAGMA journal_mode = WAL'));
  database.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA cache_size = -32000;
  `);
  // The journal's index is a file of its own: now is the time to learn that there is no room for it.
  database.exec('BEGIN IMMEDIATE; COMMIT');
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
}

/** SQLite does not wait by itself for the lock that changes the journal, and another process may just be opening the file. */
function whenFree(act: () => void): void {
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      act();
      return;
    } catch (error) {
      if (sqliteCode(error) !== SQLITE.busy || waited >= OPENING_MS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
