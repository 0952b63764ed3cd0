const MAX_URL = 2_048;
/** Characters that would end a link's target or a cell in Markdown. */
const UNSAFE = /[()\\|<>[\]`*\s]/g;

/** Returns an absolute http or https URL with its fragment, safe in Markdown; undefined for anything else. */
export function linkTarget(href: string, base: string): string | undefined {
  const url = href.length > 2 * MAX_URL ? null : URL.parse(href, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  const written = url.href.replace(
    UNSAFE,
    (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
  return written.length <= MAX_URL ? written : undefined;
}
