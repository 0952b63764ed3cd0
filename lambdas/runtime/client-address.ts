import { type ApiEvent, header } from './api-event.ts';

/**
 * The address that a call comes from. The edge states it in `x-client-ip`, which is believed only if the gateway has
 * found the edge's key in the request (`apiKeyId`, which no client can set). Other headers, such as `X-Forwarded-For`,
 * are never believed.
 */
export function clientAddress(event: ApiEvent): string {
  const { apiKeyId, sourceIp = '' } = event.requestContext.identity ?? {};
  return (apiKeyId && header(event, 'x-client-ip')) || sourceIp;
}
