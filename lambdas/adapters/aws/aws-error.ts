/** What can be done about an error of an AWS client. */
export type Fault =
  /** A program's own fault, found before anything was sent. */
  | 'of the caller'
  /** Repeating does not help. */
  | 'of the request'
  /** Nothing was done: it may be repeated. */
  | 'refused for now'
  /** It may have been done. */
  | 'answer lost';

/** The service was reached, and did nothing because of load or of someone else's write. */
const REFUSALS = new Set([
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

/** Thrown by this program before a request was sent. */
const OWN_ERRORS = [RangeError, TypeError, ReferenceError];

const BAD_REQUEST = 400;
const TOO_MANY_REQUESTS = 429;
const SERVER_FAULT = 500;

export function faultOf(error: unknown): Fault {
  if (OWN_ERRORS.some((own) => error instanceof own)) return 'of the caller';
  const { name, code, $metadata } = (error ?? {}) as ClientError;
  const status = $metadata?.httpStatusCode;
  if (REFUSALS.has(name ?? '') || NO_CONNECTION.has(code ?? '') || status === TOO_MANY_REQUESTS)
    return 'refused for now';
  // Without a status it is no answer of the service, or one that cannot be read.
  const isRefused = status !== undefined && status >= BAD_REQUEST && status < SERVER_FAULT;
  return isRefused ? 'of the request' : 'answer lost';
}

/** What errors of clients and sockets may have. */
type ClientError = {
  readonly name?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
};
