/** How far the request got: never sent, never acceptable, refused for now, or possibly executed. */
export type AwsErrorKind = 'program error' | 'rejected' | 'not executed' | 'outcome unknown';

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
  // An error without a status had no answer, or none that could be parsed.
  const isRejected = status !== undefined && status >= BAD_REQUEST && status < SERVER_ERROR;
  return isRejected ? 'rejected' : 'outcome unknown';
}

type ClientError = {
  readonly name?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
};
