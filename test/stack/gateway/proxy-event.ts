import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ACCOUNT } from '../template/physical-names.ts';
import type { GatewayDefinition } from './definition.ts';
import type { Match } from './match-path.ts';

export type GatewayRequest = {
  readonly method: string;
  /** Without the stage. */
  readonly path: string;
  readonly query: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly requestId: string;
  readonly apiKey: { readonly id: string; readonly value: string } | undefined;
};

/** A request as API Gateway hands it to a function: Lambda proxy integration of a REST API, payload version 1.0. */
export function proxyEvent(request: GatewayRequest, match: Match, definition: GatewayDefinition): APIGatewayProxyEvent {
  const { method, path, query, body } = request;
  const { stage, apiId } = definition;
  const headers = multiValues(pairs(request.rawHeaders));
  const parameters = multiValues([...new URLSearchParams(query)]);
  const isBinary = definition.binaryMediaTypes.includes('*/*');
  return {
    resource: match.resource,
    path,
    httpMethod: method,
    headers: lastOf(headers),
    multiValueHeaders: headers,
    queryStringParameters: query === '' ? null : lastOf(parameters),
    multiValueQueryStringParameters: query === '' ? null : parameters,
    pathParameters: match.pathParameters,
    stageVariables: null,
    requestContext: {
      accountId: ACCOUNT,
      apiId,
      authorizer: null,
      protocol: 'HTTP/1.1',
      httpMethod: method,
      path: `/${stage}${path}`,
      stage,
      requestId: request.requestId,
      requestTimeEpoch: Date.now(),
      resourceId: 'r1',
      resourcePath: match.resource,
      extendedRequestId: randomUUID(),
      identity: {
        accessKey: null,
        accountId: null,
        caller: null,
        principalOrgId: null,
        user: null,
        userArn: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        clientCert: null,
        sourceIp: request.sourceIp,
        userAgent: null,
        apiKey: request.apiKey?.value ?? null,
        apiKeyId: request.apiKey?.id ?? null,
      },
    },
    body: body.length === 0 ? null : body.toString(isBinary ? 'base64' : 'utf8'),
    isBase64Encoded: isBinary && body.length > 0,
  };
}

const pairs = (raw: readonly string[]): readonly (readonly [string, string])[] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));

const multiValues = (entries: readonly (readonly [string, string])[]): Record<string, string[]> =>
  Object.fromEntries(
    [...Map.groupBy(entries, ([name]) => name)].map(([name, all]) => [name, all.map(([, value]) => value)]),
  );

const lastOf = (values: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? '']));
