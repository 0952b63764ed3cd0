import {
  AppError,
  DamagedStoreError,
  type ErrorCode,
  type Issue,
  RateLimitedError,
  StoreFullError,
  UnavailableError,
} from '../domain/errors.ts';
import type { Listing } from '../domain/ports/table.ts';
import type { Route } from '../routes/route.ts';
import { defined } from '../text/defined.ts';
import type { ApiEvent, ApiResponse } from './api-event.ts';
import { HTTP_STATUS } from './http-errors.ts';
import { log } from './log.ts';

/** A response body with extra headers, and a status other than the route's if a protocol requires it. */
export class Reply<Body> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number | undefined;

  constructor(body: Body, headers: Readonly<Record<string, string>>, status?: number) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}

/** Returns the end of a listing's response: the cursor of the next page. */
export const pageInfo = ({ next }: Pick<Listing<unknown>, 'next'>) => ({
  nextCursor: next ?? null,
  hasMore: next !== undefined,
});

/** Returns the headers of every answer, whatever its status. */
export function commonHeaders({ requestContext, standing }: ApiEvent): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(requestContext.requestId && { 'X-Request-Id': requestContext.requestId }),
    ...(standing && {
      'X-RateLimit-Limit': String(standing.perMinute),
      'X-RateLimit-Remaining': String(standing.remaining),
      'X-RateLimit-Reset': String(Math.ceil(standing.resetsAt / 1000)),
    }),
  };
}

/**
 * A cache may serve a visitor's response to others with the same `Origin` for a minute. It may not serve a response to
 * a key, or a response allowed by its `Referer`, which is not part of the cache key.
 */
const PUBLIC_CACHE = 'public, max-age=0, s-maxage=60';
const PRIVATE = 'private, no-store';

/** An answer that is sent in parts. Endpoints that send none do not load the code of `event-stream.ts`. */
export abstract class StreamReply {
  abstract readonly headers: Readonly<Record<string, string>>;
  /** Yields the text. An error becomes its last part, with the data that `failure` returns for it. */
  abstract open(failure: (error: unknown) => string, connection: AbortSignal): AsyncGenerator<string>;
}

export function success(route: Route, event: ApiEvent, answer: unknown): ApiResponse {
  if (answer instanceof StreamReply) return streaming(event, answer);
  const reply = answer instanceof Reply ? answer : new Reply(answer, {});
  const isVisited = 'feature' in route.access && route.method === 'get';
  const isShared = isVisited && !event.caller && !event.isAllowedByReferer;
  const headers = {
    ...commonHeaders(event),
    'Cache-Control': isShared ? PUBLIC_CACHE : PRIVATE,
    ...(isVisited && { 'X-Robots-Tag': 'noindex' }),
    ...corsHeaders(event),
    ...reply.headers,
  };
  if (route.status === 204) return { statusCode: 204, headers, body: '' };
  return {
    statusCode: reply.status ?? route.status,
    headers: { ...headers, 'Content-Type': JSON_TYPE },
    body: JSON.stringify(reply.body) ?? '',
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';
const EVENTS_TYPE = 'text/event-stream; charset=utf-8';

function streaming(event: ApiEvent, reply: StreamReply): ApiResponse {
  const describe = (error: unknown): string => failure(error, event, 'search_unavailable').body;
  // X-Accel-Buffering, because some proxies would collect the events.
  const own = { 'Content-Type': EVENTS_TYPE, 'Cache-Control': PRIVATE, 'X-Accel-Buffering': 'no' };
  return {
    statusCode: 200,
    headers: { ...commonHeaders(event), ...own, ...corsHeaders(event), ...reply.headers },
    body: '',
    stream: (closed) => reply.open(describe, closed),
  };
}

/**
 * Returns an error response. All errors have one shape. An unexpected error shows the client nothing; its cause is
 * logged.
 */
export function failure(error: unknown, event: ApiEvent, unavailable: ErrorCode = 'upstream_unavailable'): ApiResponse {
  const known = error instanceof AppError ? error : unexpected(error, event, unavailable);
  if (known instanceof DamagedStoreError) log('error', known.message, { error });
  const { code, message, issues, moreIssues } = known;
  const headers: Record<string, string> = {
    ...commonHeaders(event),
    'Cache-Control': 'no-store',
    'Content-Type': JSON_TYPE,
    ...corsHeaders(event),
  };
  if (code === 'unauthorized') headers['WWW-Authenticate'] = 'Bearer';
  const retryAfter = known instanceof RateLimitedError ? known.retryAfter : undefined;
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  if (code === 'upstream_unavailable' || code === 'search_unavailable') headers['Retry-After'] = '5';
  return {
    statusCode: HTTP_STATUS[code],
    headers,
    body: JSON.stringify({
      error: message,
      code,
      ...(issues && listed(issues, moreIssues)),
      ...defined({ retryAfter }),
    }),
  };
}

const MAX_ISSUES = 20;

function listed(issues: readonly Issue[], beyond: number): object {
  const moreIssues = Math.max(0, issues.length - MAX_ISSUES) + beyond;
  return { issues: issues.slice(0, MAX_ISSUES), ...(moreIssues > 0 && { moreIssues }) };
}

function unexpected(error: unknown, { requestContext, closed }: ApiEvent, unavailable: ErrorCode): AppError {
  const { requestId } = requestContext;
  if (closed?.aborted) return new AppError('request_timeout', 'The client closed the connection');
  if (error instanceof UnavailableError) {
    log('warn', 'a backing service is unavailable', { requestId, error });
    if (error instanceof StoreFullError) return new AppError('disk_full', 'The disk of the service is full');
    return new AppError(unavailable, 'The service is temporarily unavailable. Try again in a few seconds.');
  }
  log('error', 'unexpected error', { requestId, error });
  return new AppError('internal_error', 'The service failed unexpectedly. Try again later.');
}

const EXPOSED = [
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'],
  ...['X-Request-Id', 'X-Search-Degraded', 'X-Answer-Degraded'],
];

function corsHeaders({ site, group, allowedOrigin }: ApiEvent): Record<string, string> {
  if (!site && !group) return {};
  const exposed = EXPOSED.join(', ');
  const allowed =
    allowedOrigin === undefined
      ? {}
      : { 'Access-Control-Allow-Origin': allowedOrigin, 'Access-Control-Expose-Headers': exposed };
  return { Vary: 'Origin', ...allowed };
}
