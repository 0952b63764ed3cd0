export type AddressVerdict =
  | 'crawlable'
  | 'no_such_host'
  /** At least one address of the host is not public. */
  | 'private'
  /** The lookup failed or timed out. A later one may succeed. */
  | 'unverified';

/** Looks up the host of an absolute URL. `privateHost` (`host:port`) is accepted with any address. */
export type AddressCheck = (url: string, privateHost?: string) => Promise<AddressVerdict>;
