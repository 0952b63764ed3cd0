const CONTROLS = /[\p{Cc}--[\t\n\r]]/gv;

/**
 * Removes control characters, other than tabs and ends of lines, from all texts of a JSON value. Clients and databases
 * cannot hold NUL, and a terminal executes others.
 */
export function withoutControls<T>(value: T): T {
  return (hasControls(value) ? cleaned(value) : value) as T;
}

/**
 * Returns whether a value may have control characters. JSON escapes most of them, so a text with a backslash can give a
 * false positive, which only costs time.
 */
const hasControls = (value: unknown): boolean => /\\(?:u00[01]|[bf])|\p{Cc}/u.test(JSON.stringify(value) ?? '');

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CONTROLS, '');
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [cleaned(name), cleaned(part)]));
}
