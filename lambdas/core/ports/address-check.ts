/**
 * - `crawlable`: every address of the host is public, or the host is admitted by name.
 * - `no_such_host`: the name does not exist.
 * - `private`: at least one address of the host is not public.
 * - `unverified`: the lookup failed or timed out; a later one may succeed.
 */
export type AddressVerdict = 'crawlable' | 'no_such_host' | 'private' | 'unverified';

/**
 * Looks up the host of an absolute URL, as the fetcher will. `privateHost` (`host:port`) is admitted whatever its
 * addresses are. Rejects only for a URL that cannot be parsed.
 */
export type AddressCheck = (url: string, privateHost?: string) => Promise<AddressVerdict>;
