import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DamagedStoreError } from '../../lambdas/domain/errors.ts';
import { SEGMENT_FORMAT } from '../../lambdas/search-engine/segment-format.ts';
import { EVENT_SCHEMA } from './event-schema.ts';
import { remakeTables } from './missing-tables.ts';
import { APPLICATION_ID, FILE_NAME, FORMAT, OLDEST, SCHEMA } from './schema.ts';
import { openFailure, SQLITE, sqliteCode, WAY_OUT } from './store-error.ts';

/** The file of the local API key. It is written once the database exists. */
export const KEY_FILE_NAME = 'local-key';

/** The longest wait for a lock of another process while the file is opened. */
const OPEN_TIMEOUT_MS = 3000;
const RETRY_MS = 20;
/** The longest wait for a lock afterwards. It is short, because reads of other threads are blocked during it. */
const BUSY_TIMEOUT_MS = 50;

/**
 * Opens or creates the file of a data folder. `onRemade` receives the names of tables that were lost and are now empty.
 * Throws an error whose one-line message says what to do.
 */
export function openDatabase(
  dataDir: string,
  onRemade: (tables: readonly string[]) => void = () => undefined,
): DatabaseSync {
  const file = join(dataDir, FILE_NAME);
  let database: DatabaseSync | undefined;
  try {
    assertNotLost(dataDir, file);
    createFile(dataDir, file);
    database = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS });
    database.exec('PRAGMA auto_vacuum = INCREMENTAL'); // counts only for a new file
    const remade = ensureSchema(database, file);
    if (remade.length > 0) onRemade(remade);
    configure(database);
    return database;
  } catch (error) {
    database?.close();
    throw openFailure(error, dataDir, file);
  }
}

/** Opens a connection that only reads, in addition to the writer's. */
export const openReader = (file: string): DatabaseSync =>
  new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });

/** Throws if the database was lost: an empty one must not replace it. */
function assertNotLost(dataDir: string, file: string): void {
  const keyFile = join(dataDir, KEY_FILE_NAME);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0 || !existsSync(keyFile)) return;
  const advice = `restore it from a copy, or remove ${keyFile} to start with an empty one`;
  throw new Error(`${file} is missing or empty, though ${dataDir} was in use: ${advice}`);
}

/**
 * Creates the file for its owner only, since it has hashes of API keys. SQLite gives its companion files the same mode.
 */
function createFile(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  accessSync(dataDir, constants.W_OK | constants.X_OK);
  closeSync(openSync(file, 'a', 0o600));
}

/**
 * Ensures the schema in one write transaction: if two processes open a new file, one creates the schema and the other
 * finds it. Returns the tables that were lost.
 */
function ensureSchema(database: DatabaseSync, file: string): readonly string[] {
  database.exec('BEGIN IMMEDIATE');
  const format = formatOf(database, file);
  if (format > FORMAT) throw new Error(`${file} was written by a newer version ${advice(format, 'update')}`);
  if (format > 0 && format < OLDEST)
    throw new Error(`${file} was written by an earlier version ${advice(format, 'move it away')}`);
  if (format === 0) {
    database.exec(SCHEMA);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  }
  const remade = format === FORMAT ? remakeTables(database, file) : [];
  database.exec(EVENT_SCHEMA);
  if (format < FORMAT) database.exec(`PRAGMA user_version = ${FORMAT}`);
  removeUnreadable(database);
  database.exec('COMMIT');
  return remade;
}

/**
 * Removes the parts of an unfinished merge, and an index in another format. The index is then rebuilt from the page
 * store.
 */
function removeUnreadable(database: DatabaseSync): void {
  database.exec('DELETE FROM index_segment_part WHERE segment NOT IN (SELECT id FROM index_segment)');
  const other = database.prepare('SELECT 1 FROM index_segment WHERE format <> ? LIMIT 1').get(SEGMENT_FORMAT);
  if (other === undefined) return;
  const tables = ['partition', 'page', 'chunk', 'segment', 'segment_part', 'deletion'];
  for (const table of tables) database.exec(`DELETE FROM index_${table}`);
}

const advice = (format: number, action: string): string =>
  `(format ${format}, this one knows ${FORMAT}): ${action}, or name another folder with --data`;

/** Returns the format of the file. 0 means a new file. */
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
  retryWhileBusy(() => database.exec('PRAGMA journal_mode = WAL'));
  database.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON; -- deleted pages of websites leave the file
    PRAGMA journal_size_limit = 67108864;
  `);
  // Creates the write-ahead log's shared-memory file, so that a full disk is reported now.
  database.exec('BEGIN IMMEDIATE; COMMIT');
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
}

/**
 * Repeats an operation of the start while the file is locked. SQLite's timeout is short once the file is open, and does
 * not apply to the lock that changes the journal mode.
 */
export function retryWhileBusy(run: () => void): void {
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      run();
      return;
    } catch (error) {
      if (sqliteCode(error) !== SQLITE.busy || waited >= OPEN_TIMEOUT_MS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

/**
 * Returns a check that throws once the open file is no longer the folder's: a commit would succeed, and be lost when
 * the process ends.
 */
export function vanishCheck(dataDir: string): () => void {
  const files = ['', '-wal'].map((ending) => join(dataDir, FILE_NAME + ending));
  const inodeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino;
  const inodes = files.map(inodeOf);
  return () => {
    if (files.some((file, index) => inodeOf(file) !== inodes[index]))
      throw new DamagedStoreError(`${FILE_NAME} was removed or replaced while the service ran: ${WAY_OUT}`);
  };
}

/** Returns the size of the file and its write-ahead log, in bytes. */
export const dataBytes = (dataDir: string): number =>
  ['', '-wal']
    .map((ending) => statSync(join(dataDir, FILE_NAME + ending), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, bytes) => sum + bytes, 0);

/** The share of unused pages that the file keeps for later writes. */
const UNUSED_SHARE = 0.05;

/** Returns at most `limit` unused pages to the operating system. Returns whether more can be returned. */
export function shrink(database: DatabaseSync, limit: number): boolean {
  const { unused = 0, all = 0 } = database
    .prepare('SELECT freelist_count AS unused, page_count AS "all" FROM pragma_freelist_count, pragma_page_count')
    .get() as { unused?: number; all?: number };
  const surplus = Math.floor(unused - all * UNUSED_SHARE);
  if (surplus > 0) database.exec(`PRAGMA incremental_vacuum(${Math.min(surplus, limit)})`);
  return surplus > limit;
}
