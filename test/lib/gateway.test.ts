import { describe, expect, it } from '@jest/globals';
import type { Route } from '../../lambdas/routes/route.ts';
import { pathsOf, surfaceOf } from '../../lambdas/routes/route.ts';
import { routes } from '../../lambdas/routes.ts';
import { HTTP_STATUS } from '../../lambdas/runtime/http-errors.ts';
import { gatewayDefinition } from '../../lib/gateway-definition.ts';
import { gatewayResponses } from '../../lib/gateway-responses.ts';

type Method = {
  readonly operationId?: string;
  readonly security: readonly object[];
  readonly 'x-amazon-apigateway-integration': { readonly uri: string };
};

const ANY = 'x-amazon-apigateway-any-method';
const { paths, ...definition } = gatewayDefinition('site-search-test', 'role', (name) => `function of ${name}`);
const methodsAt = (path: string) => paths[path] as Readonly<Record<string, Method>>;
const functionOf = (path: string, method: string) => methodsAt(path)[method]?.['x-amazon-apigateway-integration'].uri;

describe('the gateway', () => {
  it.each(Object.entries(routes) as [string, Route][])('routes %s to its own function', (name, route) => {
    for (const path of pathsOf(route)) {
      expect(functionOf(surfaceOf(route) + path, route.method)).toBe(`function of ${name}`);
    }
  });

  it('routes every other method and path to the fallback', () => {
    for (const path of [...Object.keys(paths), '/', '/{path+}'])
      expect(functionOf(path, ANY)).toBe('function of fallback');
  });

  it('streams the answers of chats, and of nothing else', () => {
    const streaming = Object.keys(paths).filter((path) => JSON.stringify(paths[path]).includes('"STREAM"'));
    expect(streaming).toEqual(['/v1/public/sites/{siteId}/chat', '/v1/public/groups/{groupId}/chat']);
  });

  it('requires the edge’s key for every method', () => {
    const all = Object.keys(paths).flatMap((path) => Object.values(methodsAt(path)));
    for (const { security } of all) expect(security).toEqual([{ api_key: [] }]);
  });

  it('has a unique operation id for each operation', () => {
    const ids = Object.keys(paths).flatMap((path) =>
      Object.values(methodsAt(path)).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('passes bodies on as bytes, so that gzip survives', () => {
    expect(definition['x-amazon-apigateway-binary-media-types']).toEqual(['*/*']);
  });
});

describe('an error of the gateway itself', () => {
  const contentOf = (name: string) => JSON.parse(gatewayResponses[name]?.responseTemplates['application/json'] ?? '');
  const { DEFAULT_4XX, ...others } = gatewayResponses;

  it.each(Object.keys(gatewayResponses))('%s has the shape and the headers of every other error', (name) => {
    expect(contentOf(name)).toMatchObject({ error: expect.any(String), code: expect.any(String) });
    expect(Object.keys(HTTP_STATUS)).toContain(contentOf(name).code);
    const isThrottled = contentOf(name).code === 'rate_limited';
    expect(gatewayResponses[name]?.responseParameters).toEqual({
      'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
      'gatewayresponse.header.Cache-Control': "'no-store'",
      'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      'gatewayresponse.header.X-Request-Id': 'context.requestId',
      'gatewayresponse.header.X-RateLimit-Limit': "'1000'",
      'gatewayresponse.header.X-RateLimit-Remaining': isThrottled ? "'0'" : "'1000'",
      'gatewayresponse.header.X-RateLimit-Reset': "'0'",
      ...(isThrottled && { 'gatewayresponse.header.Retry-After': "'1'" }),
    });
  });

  it.each(Object.entries(others))('%s has the status of its code', (name, { statusCode }) => {
    expect(statusCode).toBe(HTTP_STATUS[contentOf(name).code as keyof typeof HTTP_STATUS]);
  });

  it('DEFAULT_4XX keeps the status that the gateway chose', () => {
    expect(DEFAULT_4XX).not.toHaveProperty('statusCode');
  });
});
