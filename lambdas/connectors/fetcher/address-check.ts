import { type LookupAddress, lookup } from 'node:dns';
import type { AddressCheck, AddressVerdict } from '../../domain/ports/address-check.ts';
import { literalAddress } from '../../text/web/address.ts';
import { allowedHosts } from '../../text/web/allowed-hosts.ts';
import { areForeign } from './foreign-address.ts';

/** Error codes of `getaddrinfo` for a name that does not exist; other errors may be temporary. */
const NO_SUCH_HOST: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_NONAME', 'EAI_NODATA']);

type AddressCheckOptions = {
  /** Each `host` or `host:port` may be crawled although its address is private. */
  readonly allowHosts: readonly string[];
  readonly timeoutMs: number;
  readonly resolve?: typeof lookupAll;
};

/** Creates a check that judges a host by all of its addresses, as `guardedConnector` does. */
export function addressCheck({ allowHosts, timeoutMs, resolve = lookupAll }: AddressCheckOptions): AddressCheck {
  return async (href, privateHost) => {
    const url = new URL(href);
    const literal = literalAddress(url.hostname);
    const addresses = literal === undefined ? await lookUpWithin(timeoutMs, resolve(url.hostname)) : [literal];
    if (typeof addresses === 'string') return addresses;
    const admitted = allowedHosts(privateHost === undefined ? allowHosts : [...allowHosts, privateHost]);
    return admitted(url) || areForeign(addresses) ? 'crawlable' : 'private';
  };
}

function lookupAll(hostname: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => {
      if (error) reject(error);
      else resolve(addresses.map(({ address }) => address));
    });
  });
}

type LookupFailure = Extract<AddressVerdict, 'no_such_host' | 'unverified'>;

async function lookUpWithin(
  timeoutMs: number,
  answer: Promise<readonly string[]>,
): Promise<readonly string[] | LookupFailure> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<'unverified'>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, 'unverified');
  });
  const answered = answer.catch((error: NodeJS.ErrnoException) =>
    NO_SUCH_HOST.has(error.code ?? '') ? 'no_such_host' : 'unverified',
  );
  const first = await Promise.race([answered, timedOut]);
  clearTimeout(timer);
  return first;
}
