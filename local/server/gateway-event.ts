import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { env } from '../../lambdas/env.ts';
import type { ApiEvent } from '../../lambdas/runtime/api-event.ts';
import { LOCAL_INGESTION_BYTES } from '../../lambdas/runtime/body.ts';
import { forwardedAddress } from './forwarded-address.ts';

/** Converts an HTTP request to the event that API Gateway sends to a function. */
export function gatewayEvent(
  request: IncomingMessage,
  url: URL,
  params: Readonly<Record<string, string>>,
  { body, receivedAt }: { readonly body: Buffer; readonly receivedAt: number },
): ApiEvent {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
  const query = [...url.searchParams.keys()];
  return {
    httpMethod: request.method ?? 'GET',
    path: url.pathname,
    resource: url.pathname,
    headers,
    multiValueHeaders: {},
    pathParameters: { ...params },
    queryStringParameters: query.length > 0 ? Object.fromEntries(url.searchParams) : null,
    multiValueQueryStringParameters:
      query.length > 0 ? Object.fromEntries(query.map((name) => [name, url.searchParams.getAll(name)])) : null,
    stageVariables: null,
    body: body.length > 0 ? body.toString('base64') : null,
    isBase64Encoded: body.length > 0,
    receivedAt,
    largestIngestion: LOCAL_INGESTION_BYTES,
    requestContext: {
      requestId: randomUUID(),
      identity: { sourceIp: forwardedAddress(request, env.TRUST_PROXY) },
    } as ApiEvent['requestContext'],
  };
}
