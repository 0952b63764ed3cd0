export type FetchRequest = {
  readonly url: string;
  readonly etag?: string;
  readonly lastModified?: string;
  readonly accept?: string;
  readonly maxBytes: number;
  /** What is longer is cut there, and not a failure. */
  readonly cut?: boolean;
  /** One deadline over look-up, connection, headers and body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

export type FetchFailure =
  | 'timeout'
  | 'dns'
  | 'connection'
  | 'private_address'
  | 'too_large'
  | 'bad_content'
  | 'aborted';

export type FetchResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** Lower-case names; repeated headers that are lists joined by a comma. */
      readonly headers: Readonly<Record<string, string>>;
      /** Unpacked; empty if the status is not 2xx. */
      readonly body: Uint8Array;
    }
  | { readonly kind: 'failure'; readonly reason: FetchFailure; readonly detail: string };

/** Fetches one URL, never from a private address unless its host is admitted by name. Redirects are answers. It does not throw. */
export interface PageFetcher {
  fetch(request: FetchRequest): Promise<FetchResult>;

  /**
   * As `fetch`, but hands over the body of a 2xx answer in parts, for as long as `take` asks for more, and in the result it is empty.
   * Unpacks a gzip file too. What came before a failure has been handed over; more than `maxBytes` are one.
   */
  stream(request: Omit<FetchRequest, 'cut'>, take: (part: Uint8Array) => boolean): Promise<FetchResult>;

  close(): Promise<void>;
}
