import { randomUUID } from 'node:crypto';
import type { ApiEvent } from '../../lambdas/runtime/api-event.ts';
import { CONTEXT, handlerOf } from '../threads/endpoint-handler.ts';

/**
 * Runs a first search, which loads code and index. It counts against no visitor's address. As a further page of
 * results, it is not counted in analytics.
 */
export async function warmUp(siteId: string): Promise<void> {
  const event = {
    httpMethod: 'GET',
    path: `/v1/public/sites/${siteId}/search`,
    headers: {},
    pathParameters: { siteId },
    queryStringParameters: { q: 'warm up', offset: '1' },
    body: null,
    requestContext: { requestId: randomUUID(), identity: { sourceIp: '' } },
  };
  const search = await handlerOf('search-site');
  await search(event as unknown as ApiEvent, CONTEXT);
}
