import type { IncomingMessage, ServerResponse } from 'node:http';
import { handler as fallback } from '../../lambdas/api/fallback.ts';
import { AppError } from '../../lambdas/core/errors.ts';
import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { MOST_BODY_BYTES } from '../../lambdas/runtime/body.ts';
import { failure } from '../../lambdas/runtime/responses.ts';
import { routesAt } from '../../lambdas/runtime/route-match.ts';
import { gatewayEvent } from './gateway-event.ts';

type Handler = (event: ApiEvent, context: never) => Promise<ApiResponse>;

const handlers = new Map<string, Promise<Handler>>();

/** The handler of an endpoint, loaded at its first request, as a Lambda function loads it. */
function handlerOf(name: string): Promise<Handler> {
  const loaded =
    handlers.get(name) ?? import(`../../lambdas/api/${name}.ts`).then((module: { handler: Handler }) => module.handler);
  handlers.set(name, loaded);
  return loaded;
}

const CONTEXT = { getRemainingTimeInMillis: () => 29_000 } as never;

/** Answers a request to `/api` or `/v1` with the same handlers that AWS runs. */
export async function answerApi(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  const match = routesAt(url.pathname).find(({ route }) => route.method.toUpperCase() === request.method);
  const body = await bodyOf(request);
  const event = gatewayEvent(request, url, match?.params ?? {}, body ?? Buffer.alloc(0));
  const answer = body === undefined ? failure(tooLarge(), event) : await run(match, event);
  response.writeHead(answer.statusCode, answer.headers);
  response.end(answer.body);
}

async function run(match: ReturnType<typeof routesAt>[number] | undefined, event: ApiEvent): Promise<ApiResponse> {
  const handler = !match || match.route.pending ? fallback : await handlerOf(match.name);
  return handler(event, CONTEXT);
}

const tooLarge = () =>
  new AppError('payload_too_large', `A body holds at most ${MOST_BODY_BYTES / 1e6} MB: send smaller batches`);

/** Undefined for a body that is too large; it is read to its end, for a client listens only then, and not kept. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > MOST_BODY_BYTES) parts.length = 0;
    else parts.push(part);
  }
  return size > MOST_BODY_BYTES ? undefined : Buffer.concat(parts);
}
