import type { components } from './openapi.ts';

type ErrorBody = components['schemas']['ErrorBody'];

/**
 * The codes of the API, and two of the client: `unreachable`, there was no answer or it broke off; `unexpected_answer`,
 * something between the client and the service answered.
 */
export type ErrorCode = ErrorBody['code'] | 'rate_limited' | 'unreachable' | 'unexpected_answer';
export type Issue = NonNullable<ErrorBody['issues']>[number];

/** A call that failed. An aborted call throws the reason of its signal instead. */
export class SearchError extends Error {
  override readonly name: string = 'SearchError';
  readonly code: ErrorCode;
  /** Of the answer; 0 if there was none. */
  readonly status: number;
  /** The faults of the input, for `invalid_request`. */
  readonly issues: readonly Issue[];
  /** Seconds to wait before the next call, if the service says so. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    details: { status?: number; issues?: readonly Issue[]; retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status ?? 0;
    this.issues = details.issues ?? [];
    this.retryAfter = details.retryAfter;
  }
}

/** The error that a body describes. `retryAfter` of a body comes before that of a header. */
export function errorOf(body: unknown, status: number, headers?: Headers): SearchError {
  const { error, code, issues, retryAfter = secondsIn(headers?.get('Retry-After')) } = record(body);
  const details = { status, issues: Array.isArray(issues) ? issues : [], retryAfter: number(retryAfter) };
  if (typeof code === 'string') return new SearchError(code as ErrorCode, String(error), details);
  if (status === 429) return new SearchError('rate_limited', 'There were too many calls. Try again later.', details);
  return new SearchError(
    'unexpected_answer',
    `The answer is not one of the search service (status ${status}).`,
    details,
  );
}

/** `Retry-After` is a number of seconds or a date. */
function secondsIn(header: string | null | undefined): number | undefined {
  if (!header) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const time = Date.parse(header);
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - Date.now()) / 1000));
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
