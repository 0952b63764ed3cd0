/** Primary result codes, from https://www.sqlite.org/rescode.html. */
export const SQLITE = {
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
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

const outages: ReadonlySet<number> = new Set([
  SQLITE.busy,
  SQLITE.locked,
  SQLITE.readOnly,
  SQLITE.ioError,
  SQLITE.cantOpen,
  SQLITE.protocol,
]);

/** zlib's codes for a stored value that was changed after it was written. */
const UNREADABLE = ['Z_DATA_ERROR', 'Z_BUF_ERROR'];

const isUnreadable = (error: unknown): boolean =>
  error instanceof SyntaxError || UNREADABLE.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');

/**
 * Classifies a fault of the file: no room, damaged, or not usable for now (locked, I/O error), in which case the same
 * call may succeed later. Undefined for other errors.
 */
export function fileFailure(error: unknown): 'full' | 'unavailable' | 'damaged' | undefined {
  const code = sqliteCode(error);
  if (code === SQLITE.full) return 'full';
  if (code === SQLITE.corrupt || code === SQLITE.notADatabase || isUnreadable(error)) return 'damaged';
  return code !== undefined && outages.has(code) ? 'unavailable' : undefined;
}
