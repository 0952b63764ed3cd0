import { pathsOf, type Route, surfaceOf } from '../lambdas/routes/route.ts';
import { type OperationName, resources, routes } from '../lambdas/routes.ts';
import { type Operation, openApiDocument } from '../lambdas/runtime/openapi.ts';
import { gatewayResponses } from './gateway-responses.ts';

/** The name of API keys in AWS's documentation of the scheme. */
const EDGE_KEY_SCHEME = 'api_key';

export type GatewayDefinition = Readonly<Record<string, unknown>> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/**
 * Returns the OpenAPI document that API Gateway imports. Each operation calls its function as the role, and everything
 * else calls `fallback`. It has no schemas, because functions validate the input and API Gateway reads OpenAPI 3.0 only.
 */
export function gatewayDefinition(
  title: string,
  roleArn: string,
  invocationOf: (name: OperationName | 'fallback') => string,
): GatewayDefinition {
  const { info, paths: described } = openApiDocument(resources);
  const { version } = info;
  const integrationOf = (name: OperationName | 'fallback') => ({ uri: invocationOf(name), credentials: roleArn });
  const fallback = methodOf(integrationOf('fallback'));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of Object.entries(routes) as [OperationName, Route][]) {
    for (const path of pathsOf(route)) {
      const methods: Record<string, unknown> = {
        'x-amazon-apigateway-any-method': fallback,
        ...paths[surfaceOf(route) + path],
      };
      const operation = described[path]?.[route.method];
      if (operation) methods[route.method] = methodOf(integrationOf(name), operation, route.streams);
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
    components: { securitySchemes: { [EDGE_KEY_SCHEME]: { type: 'apiKey', name: 'x-api-key', in: 'header' } } },
    'x-amazon-apigateway-api-key-source': 'HEADER',
    // Passes bodies as bytes, because decoding a gzip body as text would corrupt it.
    'x-amazon-apigateway-binary-media-types': ['*/*'],
    'x-amazon-apigateway-gateway-responses': gatewayResponses,
  };
}

type Integration = { readonly uri: string; readonly credentials: string };

function methodOf(integration: Integration, operation?: Operation, streams = false): object {
  return {
    ...(operation && { operationId: operation.operationId, summary: operation.summary }),
    responses: {},
    security: [{ [EDGE_KEY_SCHEME]: [] }],
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      ...integration,
      ...(streams && { responseTransferMode: 'STREAM' }),
    },
  };
}
