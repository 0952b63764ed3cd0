import type { IncomingMessage, ServerResponse } from 'node:http';
import { handler as fallback } from '../../lambdas/api/fallback.ts';
import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { MAX_BODY_BYTES } from '../../lambdas/runtime/body.ts';
import { routesAt } from '../../lambdas/runtime/route-match.ts';
import { CONTEXT, handlerOf } from './endpoint-handler.ts';
import { gatewayEvent } from './gateway-event.ts';
import type { IngestWorker } from './ingest-worker.ts';
import { sendAnswer } from './send-answer.ts';

/** These run in the ingest worker, because they read whole pages. */
const INGEST_ENDPOINTS: ReadonlySet<string> = new Set(['ingest-pages', 'test-url']);

export async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  ingestWorker: IngestWorker,
): Promise<void> {
  const match = routesAt(url.pathname).find(({ route }) => route.method.toUpperCase() === request.method);
  const body = await bodyOf(request);
  const event = gatewayEvent(request, url, match?.params ?? {}, body);
  await sendAnswer(response, await run(match, event, ingestWorker));
}

async function run(
  match: ReturnType<typeof routesAt>[number] | undefined,
  event: ApiEvent,
  ingestWorker: IngestWorker,
): Promise<ApiResponse> {
  if (!match) return fallback(event, CONTEXT);
  return INGEST_ENDPOINTS.has(match.name)
    ? ingestWorker.run(match.name, event)
    : (await handlerOf(match.name))(event, CONTEXT);
}

/**
 * Of a body that is too large one byte more than allowed, by which the endpoint refuses it. It is read to its end,
 * because clients read the response only then.
 */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let left = MAX_BODY_BYTES + 1;
  for await (const part of request) {
    if (left > 0) parts.push(part.subarray(0, left));
    left -= part.length;
  }
  return Buffer.concat(parts);
}
