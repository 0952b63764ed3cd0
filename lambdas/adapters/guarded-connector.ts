import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress, literalAddress } from '../core/web/address.ts';
import { FetchFault } from './fetch-fault.ts';

/** As `lookup` of node:dns, asked for all addresses. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * How undici opens sockets: only to public addresses, unless `admits` says that the URL's own host may be private.
 * The addresses judged are the ones that the socket then connects to, so a name cannot change its answer in between.
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
    else if (literal === undefined || isPublicAddress(literal)) guarded(target, callback);
    else callback(privateAddress(target.hostname), null);
  };
}

/** Resolves all addresses of a name, failing if any of them is not public. */
function publicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const isPublic = error === null && addresses.every(({ address }) => isPublicAddress(address));
      callback(isPublic ? null : (error ?? privateAddress(hostname)), addresses);
    });
  };
}

function privateAddress(hostname: string): FetchFault {
  return new FetchFault('private_address', `${hostname} has an address that is not public`);
}
