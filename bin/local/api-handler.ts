import type { IncomingMessage, ServerResponse } from 'node:http';
import { handler as fallback } from '../../lambdas/api/fallback.ts';
import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { bodyTooLarge, MAX_BODY_BYTES } from '../../lambdas/runtime/body.ts';
import { failure } from '../../lambdas/runtime/responses.ts';
import { routesAt } from '../../lambdas/runtime/route-match.ts';
import { CONTEXT, handlerOf } from './endpoint-handler.ts';
import { gatewayEvent } from './gateway-event.ts';
import type { IngestWorker } from './ingest-worker.ts';

/** These run in the ingest worker, because they read and embed whole pages. */
const INGEST_ENDPOINTS: ReadonlySet<string> = new Set(['ingest-pages']);

export async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  ingestWorker: IngestWorker,
): Promise<void> {
  const match = routesAt(url.pathname).find(({ route }) => route.method.toUpperCase() === request.method);
  const body = await bodyOf(request);
  const event = gatewayEvent(request, url, match?.params ?? {}, body ?? Buffer.alloc(0));
  const answer = body === undefined ? failure(bodyTooLarge(), event) : await run(match, event, ingestWorker);
  response.writeHead(answer.statusCode, answer.headers);
  response.end(answer.body);
}

async function run(
  match: ReturnType<typeof routesAt>[number] | undefined,
  event: ApiEvent,
  ingestWorker: IngestWorker,
): Promise<ApiResponse> {
  if (!match || match.route.pending) return fallback(event, CONTEXT);
  return INGEST_ENDPOINTS.has(match.name)
    ? ingestWorker.run(match.name, event)
    : (await handlerOf(match.name))(event, CONTEXT);
}

/** Undefined for a body that is too large. It is read to its end, because clients read the response only then. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > MAX_BODY_BYTES) parts.length = 0;
    else parts.push(part);
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(parts);
}
