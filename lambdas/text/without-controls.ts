const CONTROLS = /[\p{Cc}--[\t\n\r]]/gv;

/**
 * A value of JSON with control characters, other than tabs and ends of lines, taken out of all its texts: clients and
 * databases cannot hold NUL, and a terminal obeys others.
 */
export function withoutControls<T>(value: T): T {
  return (hasControls(value) ? cleaned(value) : value) as T;
}

/** JSON writes most of them as escapes. A text with a backslash may look like one; it is cleaned in vain. */
const hasControls = (value: unknown): boolean => /\\(?:u00[01]|[bf])|\p{Cc}/u.test(JSON.stringify(value) ?? '');

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CONTROLS, '');
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [cleaned(name), cleaned(part)]));
}
