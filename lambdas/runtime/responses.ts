import { AppError, type ErrorCode, UnavailableError } from '../core/errors.ts';
import type { Route } from '../routes/route.ts';
import type { ApiEvent, ApiResponse } from './api-event.ts';
import { HTTP_STATUS } from './http-errors.ts';
import { log } from './log.ts';

/** A response body with extra headers. */
export class Reply<Body> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Body, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

const ALWAYS = { 'X-Content-Type-Options': 'nosniff' };
/** The CDN may serve a visitor's response to others for a minute, but never a response to a key. */
const PUBLIC_CACHE = 'public, max-age=0, s-maxage=60';
const PRIVATE = 'private, no-store';

export function success(route: Route, event: ApiEvent, answer: unknown): ApiResponse {
  const reply = answer instanceof Reply ? answer : new Reply(answer, {});
  const isShared = 'feature' in route.access && route.method === 'get' && !event.caller;
  const headers = {
    ...ALWAYS,
    'Cache-Control': isShared ? PUBLIC_CACHE : PRIVATE,
    ...corsHeaders(event),
    ...reply.headers,
  };
  if (route.status === 204) return { statusCode: 204, headers, body: '' };
  return {
    statusCode: route.status,
    headers: { ...headers, 'Content-Type': JSON_TYPE },
    body: JSON.stringify(reply.body),
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Every error has one shape. The client learns nothing of an unexpected error; its cause goes to the log. */
export function failure(error: unknown, event: ApiEvent, unavailable: ErrorCode = 'upstream_unavailable'): ApiResponse {
  const known = error instanceof AppError ? error : unexpected(error, unavailable);
  const { code, message, issues } = known;
  const headers: Record<string, string> = {
    ...ALWAYS,
    'Cache-Control': 'no-store',
    'Content-Type': JSON_TYPE,
    ...corsHeaders(event),
  };
  if (code === 'unauthorized') headers['WWW-Authenticate'] = 'Bearer';
  if (code === 'upstream_unavailable' || code === 'search_unavailable') headers['Retry-After'] = '5';
  return {
    statusCode: HTTP_STATUS[code],
    headers,
    body: JSON.stringify({ error: message, code, ...(issues && { issues }) }),
  };
}

function unexpected(error: unknown, unavailable: ErrorCode): AppError {
  if (error instanceof UnavailableError) {
    log('warn', 'a backing service is unavailable', { error });
    return new AppError(unavailable, 'The service is temporarily unavailable. Try again in a few seconds.');
  }
  log('error', 'unexpected error', { error });
  return new AppError('internal_error', 'The service failed unexpectedly. Try again later.');
}

function corsHeaders({ site, group, allowedOrigin }: ApiEvent): Record<string, string> {
  if (!site && !group) return {};
  const exposed = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Search-Degraded';
  const allowed =
    allowedOrigin === undefined
      ? {}
      : { 'Access-Control-Allow-Origin': allowedOrigin, 'Access-Control-Expose-Headers': exposed };
  return { Vary: 'Origin', ...allowed };
}
