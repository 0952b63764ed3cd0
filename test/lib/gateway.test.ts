import { describe, expect, it } from '@jest/globals';
import type { Route } from '../../lambdas/routes/route.ts';
import { surfaceOf } from '../../lambdas/routes/route.ts';
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
const { paths, ...definition } = gatewayDefinition((name) => `function of ${name}`);
const methods = (path: string) => paths[path] as Readonly<Record<string, Method>>;
const functionOf = (path: string, method: string) => methods(path)[method]?.['x-amazon-apigateway-integration'].uri;

describe('the gateway', () => {
  it.each(Object.entries(routes) as [string, Route][])(
    'hands %s to its own function, or to the fallback',
    (name, route) => {
      for (const path of route.paths) {
        const served = route.pending ? undefined : `function of ${name}`;
        expect(functionOf(surfaceOf(route) + path, route.method)).toBe(served);
      }
    },
  );

  it('hands every other method and path to the fallback', () => {
    for (const path of [...Object.keys(paths), '/', '/{path+}'])
      expect(functionOf(path, ANY)).toBe('function of fallback');
  });

  it('asks for the key of the edge everywhere', () => {
    const all = Object.keys(paths).flatMap((path) => Object.values(methods(path)));
    for (const { security } of all) expect(security).toEqual([{ edge: [] }]);
  });

  it('has no two operations of one name', () => {
    const ids = Object.keys(paths).flatMap((path) =>
      Object.values(methods(path)).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('takes bodies as they are, gzip too', () => {
    expect(definition['x-amazon-apigateway-binary-media-types']).toEqual(['*/*']);
  });
});

describe('what the gateway refuses itself', () => {
  it.each(Object.entries(gatewayResponses))('%s has the shape and the status of every other refusal', (_, refusal) => {
    const { error, code } = JSON.parse(refusal.responseTemplates['application/json'] ?? '');
    expect(error).toEqual(expect.any(String));
    const status = HTTP_STATUS[code as keyof typeof HTTP_STATUS];
    expect([status, undefined]).toContain(refusal.statusCode);
    expect(status).toBeDefined();
  });
});
