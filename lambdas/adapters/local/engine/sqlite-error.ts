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
  SQLITE.full,
  SQLITE.cantOpen,
  SQLITE.protocol,
]);

/** Whether the file cannot be used for now (locked, disk full, I/O error), so that the same call may succeed later. */
export function isFileUnavailable(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && outages.has(code);
}
