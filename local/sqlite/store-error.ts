import { DamagedStoreError, StoreFullError, UnavailableError } from '../../lambdas/domain/errors.ts';
import { FILE_NAME } from './schema.ts';

/** Primary result codes, from https://www.sqlite.org/rescode.html. */
export const SQLITE = {
  error: 1,
  perm: 3,
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  protocol: 15,
  notADatabase: 26,
} as const;

export function sqliteCode(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}

const outages: ReadonlySet<number> = new Set([
  SQLITE.busy,
  SQLITE.locked,
  SQLITE.readOnly,
  SQLITE.ioError,
  SQLITE.cantOpen,
  SQLITE.protocol,
]);

/** zlib's codes for a stored value that has changed since it was written. */
const UNREADABLE = ['Z_DATA_ERROR', 'Z_BUF_ERROR'];

const isUnreadable = (error: unknown): boolean =>
  error instanceof SyntaxError || UNREADABLE.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');

/**
 * Classifies a fault of the file: no space, damaged, or unavailable (locked, I/O error), in which case the same call
 * may succeed later. Returns undefined for other errors.
 */
export function fileFailure(error: unknown): 'full' | 'unavailable' | 'damaged' | undefined {
  const code = sqliteCode(error);
  if (code === SQLITE.full) return 'full';
  if (code === SQLITE.corrupt || code === SQLITE.notADatabase || isUnreadable(error)) return 'damaged';
  if (code === SQLITE.error && /^no such table/.test(String((error as Error).message))) return 'damaged';
  return code !== undefined && outages.has(code) ? 'unavailable' : undefined;
}

/** Converts the error of a store's method to the one that callers of a port receive. */
export function storeError(cause: unknown): Error {
  if (cause instanceof RangeError) return cause; // the call exceeds a documented limit
  if (cause instanceof DamagedStoreError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  switch (fileFailure(cause)) {
    case 'full':
      return new StoreFullError('The disk of the data folder is full', { cause });
    case 'damaged':
      return new DamagedStoreError(damagedFile(FILE_NAME).message, { cause });
    case 'unavailable':
      return new UnavailableError(`The local store cannot be used: ${message}`, { cause });
    default:
      return new Error(`The local store failed: ${message}`, { cause });
  }
}

const FULL = ['ENOSPC', 'EDQUOT'];

/** Returns an error whose one-line message says why the file of a data folder could not be opened and what to do. */
export function openFailure(error: unknown, dataDir: string, file: string): Error {
  const advice = fileSystemAdvice(error, dataDir) ?? sqliteAdvice(sqliteCode(error), dataDir, file);
  if (advice !== undefined) return new Error(advice, { cause: error });
  return error instanceof Error ? error : new Error(`${file} cannot be opened: ${String(error)}`);
}

function fileSystemAdvice(error: unknown, dataDir: string): string | undefined {
  const { syscall, code } = (error ?? {}) as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return undefined;
  return FULL.includes(code) ? diskFull(dataDir) : notWritable(dataDir, code);
}

function sqliteAdvice(code: number | undefined, dataDir: string, file: string): string | undefined {
  switch (code) {
    case SQLITE.full:
      return diskFull(dataDir);
    case SQLITE.perm:
    case SQLITE.readOnly:
    case SQLITE.cantOpen:
      return notWritable(dataDir, 'SQLite may not write');
    case SQLITE.notADatabase:
      return `${file} is not a SQLite database: move it away, or name another folder with --data`;
    case SQLITE.corrupt:
      return damagedFile(file).message;
    case SQLITE.busy:
    case SQLITE.locked:
    case SQLITE.protocol:
      return `${file} is locked by another program: stop that program, then start again`;
    case SQLITE.ioError:
      return `${file} cannot be read or written: check the disk and its free space, or name another folder with --data`;
    default:
      return undefined;
  }
}

export const WAY_OUT =
  'stop the service and restore a backup with "npm run admin -- restore FILE", ' +
  'or move the file away to start with an empty one';

export const damagedFile = (file: string): Error => new Error(`${file} is damaged: ${WAY_OUT}`);

const diskFull = (dataDir: string) => `The disk of ${dataDir} is full: free some space, then start again`;

const notWritable = (dataDir: string, reason: string) =>
  `${dataDir} cannot be written (${reason}): check its permissions, or name another folder with --data`;
