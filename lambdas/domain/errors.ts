/** The closed list of error codes in API answers. A new code changes the API. */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_json'
  | 'unauthorized'
  | 'forbidden_role'
  | 'plan_required'
  | 'plan_limit'
  | 'origin_not_allowed'
  | 'feature_disabled'
  | 'not_found'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'crawl_running'
  | 'last_owner_key'
  | 'review_changed'
  | 'review_not_pending'
  | 'sweep_running'
  | 'urls_unavailable'
  | 'address_mismatch'
  | 'address_unverified'
  | 'unknown_filter_field'
  | 'pattern_too_broad'
  | 'wrong_host'
  | 'headers_too_large'
  | 'request_timeout'
  | 'search_unavailable'
  | 'usage_unavailable'
  | 'upstream_unavailable'
  | 'disk_full'
  | 'store_damaged'
  | 'internal_error';

export type Issue = { readonly path: string; readonly message: string };

/** An error whose message is for the client. `runtime/http-errors.ts` maps its code to an HTTP status. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly issues: readonly Issue[] | undefined;
  /** Number of issues that are not in `issues`. */
  readonly moreIssues: number;

  constructor(
    code: ErrorCode,
    message: string,
    options: ErrorOptions & { readonly issues?: readonly Issue[]; readonly moreIssues?: number } = {},
  ) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
    this.issues = options.issues;
    this.moreIssues = options.moreIssues ?? 0;
  }
}

export class NotFoundError extends AppError {
  constructor(what: string) {
    super('not_found', `${what} not found`);
    this.name = 'NotFoundError';
  }
}

/** Thrown for a call beyond a rate limit. `retryAfter`: seconds after which another call is admitted. */
export class RateLimitedError extends AppError {
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super('rate_limited', message);
    this.name = 'RateLimitedError';
    this.retryAfter = retryAfter;
  }
}

/** Thrown if a backing service refuses every request because of a wrong key or setting. A retry does not help. */
export class MisconfiguredError extends AppError {
  constructor(message: string) {
    super('upstream_unavailable', message);
    this.name = 'MisconfiguredError';
  }
}

/** Thrown if a page ended the thread that read it at every try. */
export class DeadlyPageError extends Error {
  override readonly name = 'DeadlyPageError';
}

/**
 * Thrown if a backing service does not answer or is overloaded; the same call may succeed later. Every adapter of
 * `Table`, `Queue`, `PageStore` and `PageIndex` throws it within 5 s if its engine does not answer.
 */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/** Thrown if a store has no room left. The same call may succeed once there is room. */
export class StoreFullError extends UnavailableError {}

/** Thrown if stored data is damaged. Somebody has to restore it; a retry does not help. */
export class DamagedStoreError extends AppError {
  constructor(message: string, options: ErrorOptions = {}) {
    super('store_damaged', message, options);
    this.name = 'DamagedStoreError';
  }
}

/** Thrown if a backing service refuses a request of this size. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/**
 * Thrown if the organisation's AI tokens of the month are used up. Work that needs tokens waits for the next month or a
 * larger plan.
 */
export class AiBudgetError extends UnavailableError {}

/**
 * Returns whether a backing service failed, temporarily or until an operator acts. Work that does not depend on it can
 * continue.
 */
export const isOutage = (error: unknown): boolean =>
  error instanceof UnavailableError || (error instanceof AppError && error.code === 'upstream_unavailable');

/** Logs an error that does not fail the request or message. */
export type Report = (message: string, error: unknown) => void;
