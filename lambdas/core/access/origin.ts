/**
 * Whether an entry of `allowedDomains` admits an origin. `*` admits every request, and is the only entry that admits
 * one without an origin; `*.d` admits any depth below d, not d itself; scheme and port count only if the entry has
 * them.
 */
export function originAllowed(origin: string | undefined, allowedDomains: readonly string[]): boolean {
  if (allowedDomains.includes('*')) return true;
  const url = origin === undefined || !URL.canParse(origin) ? undefined : new URL(origin);
  return url !== undefined && url.host !== '' && allowedDomains.some((entry) => entryAdmits(entry.trim(), url));
}

const ENTRY = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*\.)?([^/:*]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?\/?$/i;

function entryAdmits(entry: string, origin: URL): boolean {
  const [, scheme, below, host, port] = ENTRY.exec(entry) ?? [];
  if (host === undefined) return false;
  const probe = `${origin.protocol}//${host}`;
  if (!URL.canParse(probe)) return false;
  const hostname = new URL(probe).hostname; // lower case and punycode, as the origin's is
  if (scheme !== undefined && `${scheme.toLowerCase()}:` !== origin.protocol) return false;
  if (port !== undefined && port !== (origin.port || defaultPort(origin.protocol))) return false;
  return below ? origin.hostname.endsWith(`.${hostname}`) : origin.hostname === hostname;
}

const defaultPort = (protocol: string): string => (protocol === 'https:' ? '443' : '80');

/** The origin of a request: its `Origin`, else that of its `Referer`. The string `null` is kept: only `*` admits it. */
export function effectiveOrigin(origin: string | undefined, referer: string | undefined): string | undefined {
  if (origin) return origin;
  return referer && URL.canParse(referer) ? new URL(referer).origin : undefined;
}
