import assert from 'node:assert/strict';
import type { Route } from '../../lambdas/routes/route.ts';
import { ErrorBody } from '../../lambdas/runtime/error-bodies.ts';
import { HTTP_STATUS } from '../../lambdas/runtime/http-errors.ts';
import { routesAt } from '../../lambdas/runtime/route-match.ts';
import type { Answer, Json, Ready } from './local-service.ts';

export type Call = {
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, text and bytes as they are. */
  readonly body?: unknown;
};

export type ApiClient = (method: string, path: string, call?: Call) => Promise<Answer>;

/**
 * Calls of the holder of a key, or of a visitor, with paths from the root of the server. Throws where a success is not exactly what
 * its route declares, or a refusal not what every refusal is.
 */
export function apiClient({ baseUrl }: Pick<Ready, 'baseUrl'>, apiKey?: string): ApiClient {
  const origin = new URL(baseUrl).origin;
  return async (method, path, { headers = {}, body } = {}) => {
    const url = new URL(path, origin);
    const response = await fetch(url, {
      method,
      headers: {
        ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: encoded(body) }),
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, body: JSON.parse(text || '{}') as Json };
    if (text !== '') await checkBody(method, url.pathname, answer);
    return answer;
  };
}

const encoded = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);

async function checkBody(method: string, path: string, { status, body }: Answer): Promise<void> {
  if (status >= 400) {
    const { code } = ErrorBody.strict().parse(body);
    assert.equal(status, HTTP_STATUS[code as keyof typeof HTTP_STATUS]);
    return;
  }
  const route: Route | undefined = routesAt(path).find((match) => match.route.method.toUpperCase() === method)?.route;
  assert.ok(route?.response, `${method} ${path} declares no answer`);
  assert.equal(status, route.status);
  assert.deepEqual(await route.response.parseAsync(body), body);
}
