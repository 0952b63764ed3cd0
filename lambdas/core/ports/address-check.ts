/**
 * What the look-up of a URL's host says now: it may be crawled; its name does not exist; an address of it is not public; or nothing,
 * for the look-up failed or took too long, and may succeed later. `privateHost` (`host:port`) is admitted whatever its address.
 */
export type AddressCheck = (
  url: string,
  privateHost?: string,
) => Promise<'crawlable' | 'no_such_host' | 'private' | 'unverified'>;
