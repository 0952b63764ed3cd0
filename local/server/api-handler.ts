import type { IncomingMessage, ServerResponse } from 'node:http';
import { table } from '#adapters/table';
import { handler as fallback } from '../../lambdas/api/fallback.ts';
import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { callerOf } from '../../lambdas/runtime/authorization.ts';
import { LOCAL_INGESTION_BYTES, maxBodyBytes, SMALL_BODY_BYTES } from '../../lambdas/runtime/body.ts';
import { type RouteMatch, routesAt } from '../../lambdas/runtime/route-match.ts';
import { clock } from '../../lambdas/runtime/system.ts';
import { CONTEXT, handlerOf } from '../threads/endpoint-handler.ts';
import { gatewayEvent } from './gateway-event.ts';
import type { RunEndpoint } from './ingestion.ts';
import { BodyMemory } from './request-body.ts';
import { sendAnswer } from './send-answer.ts';

/** Endpoints that run in the workers' thread, because they read whole pages; the last one runs any of them. */
const INGEST_ENDPOINTS: ReadonlySet<string> = new Set(['ingest-pages', 'test-url', 'call-owner-mcp']);

const bodies = new BodyMemory();

export async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  ingest: RunEndpoint,
  inForm: (answer: ApiResponse) => ApiResponse = (answer) => answer,
): Promise<void> {
  // Node sends no body in a response to HEAD.
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const match = routesAt(url.pathname).find(({ route }) => route.method.toUpperCase() === method);
  if (isLarge(request) && !(await mayBeLarge(match, request))) {
    const event = gatewayEvent(request, url, match?.params ?? {}, { body: Buffer.alloc(0), receivedAt: clock() });
    return sendAnswer(response, inForm(await run(match, event, { closed: closingOf(response), ingest })));
  }
  if (/100-continue/i.test(request.headers.expect ?? '')) response.writeContinue();
  const body = await bodies.read(request, () => limitOf(match, request));
  try {
    const event = gatewayEvent(request, url, match?.params ?? {}, { body: body.take(), receivedAt: clock() });
    await sendAnswer(response, inForm(await run(match, event, { closed: closingOf(response), ingest })));
  } finally {
    body.release();
  }
}

const isLarge = ({ headers }: IncomingMessage): boolean => Number(headers['content-length']) > SMALL_BODY_BYTES;

/**
 * Tells whether to read a large body before answering. Without a valid key the answer does not depend on it, unless
 * anyone may call.
 */
async function mayBeLarge(match: RouteMatch | undefined, request: IncomingMessage): Promise<boolean> {
  return match !== undefined && ('feature' in match.route.access || (await hasKey(request)));
}

/** Returns the limit of a body in bytes. Only callers with a valid key may send more than 64 kB. */
async function limitOf(match: RouteMatch | undefined, request: IncomingMessage): Promise<number> {
  return match && (await hasKey(request)) ? maxBodyBytes(match.route, LOCAL_INGESTION_BYTES) : SMALL_BODY_BYTES;
}

async function hasKey({ headers }: IncomingMessage): Promise<boolean> {
  return (await callerOf({ headers: { authorization: headers.authorization } }, { table, clock })) !== undefined;
}

/** Returns a signal that aborts when the connection is closed before the answer is sent. */
function closingOf(response: ServerResponse): AbortSignal {
  const closing = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) closing.abort();
  });
  if (response.closed) closing.abort();
  return closing.signal;
}

type Running = { readonly closed: AbortSignal; readonly ingest: RunEndpoint };

async function run(match: RouteMatch | undefined, event: ApiEvent, running: Running): Promise<ApiResponse> {
  if (!match) return fallback(event, CONTEXT);
  return INGEST_ENDPOINTS.has(match.name)
    ? running.ingest(match.name, event)
    : (await handlerOf(match.name))({ ...event, closed: running.closed }, CONTEXT);
}
