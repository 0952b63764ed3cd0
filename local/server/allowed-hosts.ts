import { isIP } from 'node:net';

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/** Tells whether a server that listens on this address is reached only from its own machine. */
export const isLoopback = (listening: string): boolean => LOCAL.includes(listening) || listening === '::1';

/**
 * Returns a function that tells whether a Host header names this server. It protects against DNS rebinding: a web page
 * of another host name must not read what needs no key. An address cannot be rebound, so every address is admitted
 * where other machines can connect.
 */
export function ownHosts(listening: string, publicUrl: string | undefined): (host: string) => boolean {
  const names = new Set([...LOCAL, listening.toLowerCase(), ...(publicUrl ? [new URL(publicUrl).hostname] : [])]);
  const isOpen = !isLoopback(listening);
  return (host) => {
    const name = URL.parse(`http://${host}`)?.hostname;
    if (name === undefined) return false;
    return names.has(name) || (isOpen && isIP(name.replace(/^\[|\]$/g, '')) !== 0);
  };
}
