import { defined } from '../../../text/defined.ts';
/**
 * Returns whether an entry of `allowedDomains` admits an origin. `*` admits every request, and is the only entry that
 * admits a request without an origin. `*.d` admits any depth below d, but not d itself. Scheme and port count only if
 * the entry has them.
 */
export function originAllowed(origin: string | undefined, allowedDomains: readonly string[]): boolean {
  if (allowedDomains.includes('*')) return true;
  const url = origin === undefined ? undefined : originUrl(origin);
  return url !== undefined && allowedDomains.some((entry) => entryAdmits(entry.trim(), url));
}

/** Matches `scheme://host[:port]`, as browsers write an origin. A user name, a path or a blank is not allowed. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/\\?#@]+\/?$/i;

function originUrl(origin: string): URL | undefined {
  const url = ORIGIN.test(origin) ? URL.parse(origin) : null;
  return url && isHostname(url.hostname) ? url : undefined;
}

/**
 * Returns whether a name is a host name. A name with an empty label, such as `.example.com`, is not. A final dot is
 * part of the name.
 */
const isHostname = (hostname: string): boolean => hostname !== '' && !/^\.|\.\./.test(hostname);

type AllowedDomain = {
  /** The scheme with a colon, as in `URL.protocol`. */
  readonly protocol?: string;
  readonly isBelow: boolean;
  readonly host: string;
  readonly port?: string;
};

const ENTRY = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*\.)?([^\s/\\?#@:*]+|\[[0-9a-f:.]+\])(?::([1-9]\d{0,4}))?\/?$/i;

function parseEntry(entry: string): AllowedDomain | undefined {
  const [, scheme, below, host, port] = ENTRY.exec(entry) ?? [];
  if (host === undefined) return undefined;
  return {
    ...(scheme !== undefined && { protocol: `${scheme.toLowerCase()}:` }),
    isBelow: below !== undefined,
    host,
    ...defined({ port }),
  };
}

/** Returns the host in lower case and punycode, as the scheme requires. */
const hostnameOf = ({ host }: AllowedDomain, protocol: string): string | undefined =>
  URL.parse(`${protocol}//${host}`)?.hostname;

function entryAdmits(entry: string, origin: URL): boolean {
  const allowed = parseEntry(entry);
  const hostname = allowed && hostnameOf(allowed, origin.protocol);
  if (!allowed || !hostname) return false;
  const { protocol, port, isBelow } = allowed;
  if (protocol !== undefined && protocol !== origin.protocol) return false;
  if (port !== undefined && port !== (origin.port || defaultPort(origin.protocol))) return false;
  return isBelow ? origin.hostname.endsWith(`.${hostname}`) : origin.hostname === hostname;
}

const defaultPort = (protocol: string): string => (protocol === 'https:' ? '443' : '80');

const EXAMPLES = 'such as example.com, *.example.com or https://example.com:8443';
const MAX_PORT = 65_535;

/** Returns why an entry could never admit an origin, as the end of a sentence; undefined if it can. */
export function allowedDomainFault(entry: string): string | undefined {
  if (entry === '*') return undefined;
  if (entry.toLowerCase() === 'null') return 'cannot be null: only `*` admits pages that have no origin';
  const allowed = parseEntry(entry);
  if (allowed && isUsable(allowed)) return undefined;
  if (/^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]+[/?#]./i.test(entry)) return `must be a domain without a path, ${EXAMPLES}`;
  if (entry.includes('*')) return 'can have `*` only alone, or in front of a domain as in *.example.com';
  return `must be \`*\` or a domain ${EXAMPLES}`;
}

function isUsable(allowed: AllowedDomain): boolean {
  const hostname = hostnameOf(allowed, allowed.protocol ?? 'https:');
  if (hostname === undefined || !isHostname(hostname) || Number(allowed.port ?? 1) > MAX_PORT) return false;
  const isAddress = hostname.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(hostname);
  return !(allowed.isBelow && isAddress);
}

/**
 * Returns the origin of a request: its `Origin`, else that of its `Referer`. The string `null` is kept, which only `*`
 * admits.
 */
export function effectiveOrigin(origin: string | undefined, referer: string | undefined): string | undefined {
  if (origin) return origin;
  return referer && URL.canParse(referer) ? new URL(referer).origin : undefined;
}
