export type FetchRequest = {
  readonly url: string;
  /** Sent as a conditional request, like `lastModified`, unless it has characters that a header cannot carry. */
  readonly etag?: string;
  readonly lastModified?: string;
  readonly accept?: string;
  /** Maximum size of the body, both compressed and decompressed. */
  readonly maxBytes: number;
  /** Whether to cut a longer body at `maxBytes` instead of failing. @default false */
  readonly truncate?: boolean;
  /** Other limits for answers of these media types. A longer time also counts from the start. */
  readonly limitsOfTypes?: Readonly<Record<string, { readonly maxBytes: number; readonly timeoutMs: number }>>;
  /** Time limit for lookup, connection, headers and body together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

export type FetchFailure =
  | 'timeout'
  | 'dns'
  /** The connection failed or broke, or the URL is not http or https. */
  | 'connection'
  | 'private_address'
  | 'too_large'
  /** The answer is not valid HTTP or cannot be decompressed. */
  | 'bad_content'
  /** The caller aborted, or the fetcher was closed. */
  | 'aborted';

export type FetchResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      /**
       * Names are in lower case. Repeated list headers are joined with ", "; of other repeated headers the first one
       * counts.
       */
      readonly headers: Readonly<Record<string, string>>;
      /** Decompressed; empty unless the status is 2xx. */
      readonly body: Uint8Array;
    }
  | { readonly kind: 'failure'; readonly reason: FetchFailure; readonly detail: string };

/**
 * Fetches one URL by GET. It follows no redirect, keeps no cookie, and never connects to a private address unless the
 * host is admitted by name. It does not throw: every failure is a result. Any number of calls may run at once.
 */
export interface PageFetcher {
  fetch(request: FetchRequest): Promise<FetchResult>;

  /**
   * Like `fetch`, but passes the body of a 2xx answer to `take` in parts until `take` returns false; the result's body
   * is empty. Also decompresses a body that is a gzip file. Parts that arrive before a failure or before the limit are
   * passed on.
   */
  stream(request: Omit<FetchRequest, 'truncate'>, take: (part: Uint8Array) => boolean): Promise<FetchResult>;

  /** Ends running fetches as `aborted`. */
  close(): Promise<void>;
}
