import { DEFAULT_LIMITS } from '../lambdas/domain/sites/limits/limit.ts';

/**
 * Returns the rate-limit headers of the gateway's answers. The gateway cannot compute them: it sends the limit of a
 * key, and 0 as the end of the minute, which means the past. Its answers count against no limit of the API. A throttled
 * call may be repeated after `Retry-After`.
 */
const rateHeaders = (isThrottled: boolean) => ({
  'gatewayresponse.header.X-RateLimit-Limit': `'${DEFAULT_LIMITS.perKey}'`,
  'gatewayresponse.header.X-RateLimit-Remaining': isThrottled ? "'0'" : `'${DEFAULT_LIMITS.perKey}'`,
  'gatewayresponse.header.X-RateLimit-Reset': "'0'",
  ...(isThrottled && { 'gatewayresponse.header.Retry-After': "'1'" }),
});

type GatewayResponse = {
  readonly statusCode?: number;
  readonly responseParameters: Readonly<Record<string, string>>;
  readonly responseTemplates: Readonly<Record<string, string>>;
};

function response(statusCode: number | undefined, code: string, error: string, more: object = {}): GatewayResponse {
  return {
    ...(statusCode !== undefined && { statusCode }),
    responseParameters: {
      // Without this header a browser hides the answer from the page. The answer contains no data of a site.
      'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
      'gatewayresponse.header.Cache-Control': "'no-store'",
      'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      'gatewayresponse.header.X-Request-Id': 'context.requestId',
      ...rateHeaders(code === 'rate_limited'),
    },
    responseTemplates: { 'application/json': JSON.stringify({ error, code, ...more }) },
  };
}

const unavailable = response(
  503,
  'upstream_unavailable',
  'The service is temporarily unavailable. Try again in a few seconds.',
);
const pastTheEdge = response(
  401,
  'unauthorized',
  'Call the address of the service, not the address of its API gateway',
);

/**
 * Answers that API Gateway sends without calling a function. Its errors have the same form as those of the functions.
 */
export const gatewayResponses: Readonly<Record<string, GatewayResponse>> = {
  DEFAULT_4XX: response(undefined, 'invalid_request', 'The request could not be read'),
  DEFAULT_5XX: response(500, 'internal_error', 'The service failed unexpectedly. Try again later.'),
  ACCESS_DENIED: pastTheEdge,
  INVALID_API_KEY: pastTheEdge,
  INTEGRATION_FAILURE: unavailable,
  INTEGRATION_TIMEOUT: unavailable,
  MISSING_AUTHENTICATION_TOKEN: response(404, 'not_found', 'Path not found'),
  QUOTA_EXCEEDED: response(429, 'rate_limited', 'Too many requests', { retryAfter: 1 }),
  REQUEST_TOO_LARGE: response(413, 'payload_too_large', 'The body is larger than 4.4 MB. Send smaller batches.'),
  RESOURCE_NOT_FOUND: response(404, 'not_found', 'Path not found'),
  THROTTLED: response(429, 'rate_limited', 'Too many requests', { retryAfter: 1 }),
  WAF_FILTERED: response(429, 'rate_limited', 'Too many requests', { retryAfter: 60 }),
  UNSUPPORTED_MEDIA_TYPE: response(
    415,
    'unsupported_media_type',
    'The body must be JSON, sent with `Content-Type: application/json`',
  ),
};
