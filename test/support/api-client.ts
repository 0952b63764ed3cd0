import assert from 'node:assert/strict';
import { McpResponse } from '../../lambdas/routes/mcp.ts';
import type { Route } from '../../lambdas/routes/route.ts';
import { ErrorBody, RateLimitedBody } from '../../lambdas/runtime/error-bodies.ts';
import { HTTP_STATUS } from '../../lambdas/runtime/http-errors.ts';
import { routesAt } from '../../lambdas/runtime/route-match.ts';
import type { Answer, Json } from './answer.ts';

export type Call = {
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, text and bytes as they are. */
  readonly body?: unknown;
  readonly address?: string;
};

export type ApiClient = (method: string, path: string, call?: Call) => Promise<Answer>;

export type ApiRequest = {
  readonly method: string;
  /** From the root of the server, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** The client's IP address, if the API is in the test's process. */
  readonly address?: string;
};
export type ApiResult = { readonly status: number; readonly headers: Headers; readonly text: string };

/** Carries a request to the API: over HTTP, or straight to its handler. */
export type Transport = (request: ApiRequest) => Promise<ApiResult>;

/** Throws if a successful response does not match its route exactly, or an error has another shape than all errors. */
export function apiClient(transport: Transport, apiKey?: string): ApiClient {
  return async (method, path, { headers = {}, body, address } = {}) => {
    const {
      status,
      headers: answered,
      text,
    } = await transport({
      method,
      path,
      headers: {
        ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: encoded(body) }),
      ...(address !== undefined && { address }),
    });
    const isJson = answered.get('content-type')?.startsWith('application/json') !== false;
    const answer = { status, headers: answered, body: (isJson ? JSON.parse(text || '{}') : { text }) as Json };
    if (isJson && text !== '') await checkBody(method, path, answer);
    return answer;
  };
}

const encoded = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);

async function checkBody(method: string, path: string, { status, body }: Answer): Promise<void> {
  if (status >= 400 && 'jsonrpc' in body) {
    assert.deepEqual(McpResponse.parse(body), body); // errors of the protocol have its form
    return;
  }
  if (status >= 400) {
    const { code } = (status === 429 ? RateLimitedBody : ErrorBody).strict().parse(body);
    assert.equal(status, HTTP_STATUS[code as keyof typeof HTTP_STATUS]);
    return;
  }
  const { pathname } = new URL(path, 'http://localhost');
  const route: Route | undefined = routesAt(pathname).find(
    (match) => match.route.method.toUpperCase() === method,
  )?.route;
  assert.ok(route?.response, `${method} ${pathname} declares no answer`);
  assert.equal(status, route.status);
  assert.deepEqual(await route.response.parseAsync(body), body);
}
