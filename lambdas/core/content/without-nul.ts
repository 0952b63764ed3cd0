/** A value of JSON with NUL characters taken out of all its texts: many clients and databases cannot hold them. */
export function withoutNul<T>(value: T): T {
  return (hasNul(value) ? cleaned(value) : value) as T;
}

/** JSON writes the character as an escape, and a backslash before it as two. */
const hasNul = (value: unknown): boolean => JSON.stringify(value)?.includes('\\u0000') ?? false;

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '');
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [cleaned(name), cleaned(part)]));
}
