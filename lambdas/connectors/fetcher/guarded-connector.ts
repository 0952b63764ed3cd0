import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { literalAddress } from '../../text/web/address.ts';
import { FetchError } from './fetch-error.ts';
import { areForeign } from './foreign-address.ts';

/** The signature of `lookup` in node:dns with `all: true`. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Opens sockets only to public addresses of other machines, unless `admits` accepts the URL's host. The check is part
 * of the socket's own lookup, so that the name cannot resolve differently between check and connection (DNS rebinding).
 */
export function guardedConnector(
  admits: (origin: URL) => boolean,
  timeoutMs: number,
  resolve: Resolve = lookup,
): buildConnector.connector {
  const settings = { timeout: timeoutMs, allowH2: false, autoSelectFamily: true };
  const lookupAll: LookupFunction = (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, callback);
  const open = buildConnector({ ...settings, lookup: lookupAll });
  const guarded = buildConnector({ ...settings, lookup: publicLookup(resolve) });
  return (target, callback) => {
    const literal = literalAddress(target.hostname);
    if (admits(new URL(`${target.protocol}//${target.host}`))) open(target, callback);
    else if (literal === undefined || areForeign([literal])) guarded(target, callback);
    else callback(privateAddress(target.hostname), null);
  };
}

function publicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const isPublic = error === null && areForeign(addresses.map(({ address }) => address));
      callback(isPublic ? null : (error ?? privateAddress(hostname)), addresses);
    });
  };
}

function privateAddress(hostname: string): FetchError {
  return new FetchError('private_address', `${hostname} has an address that is not public`);
}
