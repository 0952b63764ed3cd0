/** Tells whether a text matches a pattern of IAM, in which `*` matches any characters and `?` matches one. */
export function matchesWildcard(pattern: string, text: string): boolean {
  const escaped = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${escaped}$`, 's').test(text);
}
