/** What an error of an AWS client says about its request. */
export type AwsErrorKind =
  /** Thrown by our own code before the request was sent. */
  | 'program error'
  /** The service will never accept the request. */
  | 'rejected'
  /** The request was not executed and may be repeated. */
  | 'not executed'
  /** The request may have been executed. */
  | 'outcome unknown';

/** The service answered and did nothing, because of load or of a concurrent write. */
const NOT_EXECUTED = new Set([
  'OverLimit',
  'ProvisionedThroughputExceededException',
  'ReplicatedWriteConflictException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'SlowDown',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionConflictException',
  'TransactionInProgressException',
]);

/** The service was not reached. */
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

const PROGRAM_ERRORS = [RangeError, TypeError, ReferenceError];

const BAD_REQUEST = 400;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

export function awsErrorKind(error: unknown): AwsErrorKind {
  if (PROGRAM_ERRORS.some((own) => error instanceof own)) return 'program error';
  const { name, code, $metadata } = (error ?? {}) as ClientError;
  const status = $metadata?.httpStatusCode;
  if (NOT_EXECUTED.has(name ?? '') || NO_CONNECTION.has(code ?? '') || status === TOO_MANY_REQUESTS)
    return 'not executed';
  // Without a status there was no answer, or none that could be parsed.
  const isRejected = status !== undefined && status >= BAD_REQUEST && status < SERVER_ERROR;
  return isRejected ? 'rejected' : 'outcome unknown';
}

/** The fields that errors of SDK clients and of sockets may have. */
type ClientError = {
  readonly name?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
};
