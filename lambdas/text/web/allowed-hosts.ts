import { isIPv6 } from 'node:net';

/** Matches URLs by a list of `host` (any port) and `host:port` entries. An entry that names no host matches nothing. */
export function allowedHosts(entries: readonly string[]): (url: URL) => boolean {
  const allowed = new Set(entries.map(canonicalEntry));
  return (url) => allowed.has(url.hostname) || allowed.has(`${url.hostname}:${portOf(url)}`);
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

function canonicalEntry(entry: string): string | undefined {
  const trimmed = entry.trim();
  const text = isIPv6(trimmed) ? `[${trimmed}]` : trimmed;
  const port = /:(\d{1,5})$/.exec(text)?.[1];
  const host = port === undefined ? text : text.slice(0, -port.length - 1);
  const url = /[@/?#\\]/.test(host) ? null : URL.parse(`http://${host}/`);
  if (url === null || url.port !== '') return undefined;
  return port === undefined ? url.hostname : `${url.hostname}:${Number(port)}`;
}
