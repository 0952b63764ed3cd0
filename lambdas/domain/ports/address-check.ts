export type AddressVerdict =
  | 'crawlable'
  | 'no_such_host'
  /** At least one address of the host is not public. */
  | 'private'
  /** The lookup failed or timed out; a later one may succeed. */
  | 'unverified';

/** Looks up the host of an absolute URL. `privateHost` (`host:port`) is admitted whatever its addresses are. */
export type AddressCheck = (url: string, privateHost?: string) => Promise<AddressVerdict>;
