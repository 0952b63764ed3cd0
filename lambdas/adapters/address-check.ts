import { type LookupAddress, lookup } from 'node:dns';
import type { AddressCheck } from '../core/ports/address-check.ts';
import { isPublicAddress, literalAddress } from '../core/web/address.ts';
import { allowedHosts } from '../core/web/allowed-hosts.ts';

/** Codes of `getaddrinfo` for a name that is not there; all others may pass. */
const NO_SUCH_HOST: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_NONAME', 'EAI_NODATA']);

type AddressCheckOptions = {
  /** `host` or `host:port` that may be crawled though its address is private. */
  readonly allowHosts: readonly string[];
  readonly timeoutMs: number;
  readonly resolve?: typeof lookupAll;
};

/** Judges a host as the fetcher's sockets will: by all addresses that its name has. */
export function addressCheck({ allowHosts, timeoutMs, resolve = lookupAll }: AddressCheckOptions): AddressCheck {
  return async (written, privateHost) => {
    const url = new URL(written);
    const literal = literalAddress(url.hostname);
    const addresses = literal === undefined ? await within(timeoutMs, resolve(url.hostname)) : [literal];
    if (typeof addresses === 'string') return addresses;
    const admitted = allowedHosts(privateHost === undefined ? allowHosts : [...allowHosts, privateHost]);
    return admitted(url) || addresses.every(isPublicAddress) ? 'crawlable' : 'private';
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

async function within(
  timeoutMs: number,
  answer: Promise<readonly string[]>,
): Promise<readonly string[] | 'no_such_host' | 'unverified'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'unverified'>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, 'unverified');
  });
  const answered = answer.catch((error: NodeJS.ErrnoException) =>
    NO_SUCH_HOST.has(error.code ?? '') ? 'no_such_host' : 'unverified',
  );
  const first = await Promise.race([answered, late]);
  clearTimeout(timer);
  return first;
}
