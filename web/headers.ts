/** Headers of every file and page. `same-origin`, because a site's access check needs the Referer of our pages. */
export const SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
} as const;

/** Headers of the files that other websites load. */
export const SHARING_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  ico: 'image/x-icon',
  webp: 'image/webp',
  woff2: 'font/woff2',
};
const HASHED = /-[\w-]{8}\.\w+$/;
const SHARED = /^\/?(?:widgets|v1)\//;

export const contentTypeOf = (name: string): string =>
  TYPES[/\.(\w+)$/.exec(name)?.[1] ?? ''] ?? 'application/octet-stream';

/** Tells whether a file's name contains a hash of its content, so the content under this name never changes. */
export const isHashed = (name: string): boolean => HASHED.test(name);

/** Tells whether other websites load the file. */
export const isShared = (name: string): boolean => SHARED.test(name);

/** Returns the `Cache-Control` of a file. Pages are checked at each use, and scripts of other websites after minutes. */
export function cacheControlOf(name: string): string {
  if (isHashed(name)) return 'public, max-age=31536000, immutable';
  return isShared(name) ? 'public, max-age=300' : 'no-cache';
}
