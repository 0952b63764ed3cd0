type Refusal = {
  readonly statusCode?: number;
  readonly responseParameters: Readonly<Record<string, string>>;
  readonly responseTemplates: Readonly<Record<string, string>>;
};

function refusal(statusCode: number | undefined, code: string, error: string, more: object = {}): Refusal {
  return {
    ...(statusCode !== undefined && { statusCode }),
    responseParameters: {
      'gatewayresponse.header.Cache-Control': "'no-store'",
      'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
    },
    responseTemplates: { 'application/json': JSON.stringify({ error, code, ...more }) },
  };
}

const unavailable = refusal(
  503,
  'upstream_unavailable',
  'The service cannot answer right now: try again in a few seconds',
);
const notTheEdge = refusal(401, 'unauthorized', 'Call the service by its own address, not by that of its gateway');

/** What the gateway answers without asking a function, in the shape of every other refusal. */
export const refusals: Readonly<Record<string, Refusal>> = {
  DEFAULT_4XX: refusal(undefined, 'invalid_request', 'The request could not be read'),
  DEFAULT_5XX: refusal(500, 'internal_error', 'Something went wrong on our side'),
  ACCESS_DENIED: notTheEdge,
  INVALID_API_KEY: notTheEdge,
  INTEGRATION_FAILURE: unavailable,
  INTEGRATION_TIMEOUT: unavailable,
  MISSING_AUTHENTICATION_TOKEN: refusal(404, 'not_found', 'Path not found'),
  QUOTA_EXCEEDED: refusal(429, 'rate_limited', 'Too many requests', { retryAfter: 1 }),
  REQUEST_TOO_LARGE: refusal(413, 'payload_too_large', 'The request is too large: send smaller batches'),
  RESOURCE_NOT_FOUND: refusal(404, 'not_found', 'Path not found'),
  THROTTLED: refusal(429, 'rate_limited', 'Too many requests', { retryAfter: 1 }),
  UNSUPPORTED_MEDIA_TYPE: refusal(415, 'unsupported_media_type', 'Send JSON, with `Content-Type: application/json`'),
};
