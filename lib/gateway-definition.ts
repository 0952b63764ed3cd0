import { type Route, surfaceOf } from '../lambdas/routes/route.ts';
import { type OperationName, resources, routes } from '../lambdas/routes.ts';
import { type Operation, openApiDocument } from '../lambdas/runtime/openapi.ts';
import { refusals } from './gateway-responses.ts';

/** The API's own name for the key by which it knows the edge. */
const EDGE_KEY = 'edge';

export type GatewayDefinition = Readonly<Record<string, unknown>> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/**
 * The API as its gateway imports it: the paths and operations of the OpenAPI document, each with the function that answers. Schemas
 * are left out: the functions judge the input, and the gateway reads OpenAPI 3.0 only. All that no function serves goes to `fallback`.
 */
export function gatewayDefinition(invocationOf: (name: OperationName | 'fallback') => string): GatewayDefinition {
  const { info, paths: described } = openApiDocument(resources);
  const { title, version } = info;
  const fallback = methodOf(invocationOf('fallback'));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of Object.entries(routes) as [OperationName, Route][]) {
    for (const path of route.paths) {
      const methods: Record<string, unknown> = {
        'x-amazon-apigateway-any-method': fallback,
        ...paths[surfaceOf(route) + path],
      };
      const operation = described[path]?.[route.method];
      if (operation && !route.pending) methods[route.method] = methodOf(invocationOf(name), operation);
      paths[surfaceOf(route) + path] = methods;
    }
  }
  return {
    openapi: '3.0.1',
    info: { title, version },
    paths: {
      ...paths,
      '/': { 'x-amazon-apigateway-any-method': fallback },
      '/{path+}': { 'x-amazon-apigateway-any-method': fallback },
    },
    components: { securitySchemes: { [EDGE_KEY]: { type: 'apiKey', name: 'x-api-key', in: 'header' } } },
    'x-amazon-apigateway-api-key-source': 'HEADER',
    // Bodies may be gzip; text would be spoilt by decoding.
    'x-amazon-apigateway-binary-media-types': ['*/*'],
    'x-amazon-apigateway-gateway-responses': refusals,
  };
}

function methodOf(uri: string, operation?: Operation): object {
  return {
    ...(operation && { operationId: operation.operationId, summary: operation.summary }),
    responses: {},
    security: [{ [EDGE_KEY]: [] }],
    'x-amazon-apigateway-integration': { type: 'aws_proxy', httpMethod: 'POST', uri },
  };
}
