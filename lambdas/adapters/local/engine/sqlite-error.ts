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

/** Of a stored value that is no longer what was written. */
const UNREADABLE = ['Z_DATA_ERROR', 'Z_BUF_ERROR'];

const isUnreadable = (error: unknown): boolean =>
  error instanceof SyntaxError || UNREADABLE.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');

/**
 * What is wrong with the file: it has no room, it cannot be used for now (locked, I/O error), so that the same call may
 * succeed later, or it is damaged. Undefined for other errors.
 */
export function fileFailure(error: unknown): 'full' | 'unavailable' | 'damaged' | undefined {
  const code = sqliteCode(error);
  if (code === SQLITE.full) return 'full';
  if (code === SQLITE.corrupt || code === SQLITE.notADatabase || isUnreadable(error)) return 'damaged';
  return code !== undefined && outages.has(code) ? 'unavailable' : undefined;
}
