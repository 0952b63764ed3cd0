import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { ApiEvent, ApiResponse } from './api-event.ts';

type Handler = (event: ApiEvent, context: never) => Promise<ApiResponse>;

/** Makes a handler stream its response through Lambda to API Gateway. Returns the handler unchanged outside Lambda. */
export function streamed(handler: Handler): Handler {
  if (!('awslambda' in globalThis)) return handler;
  return awslambda.streamifyResponse(async (event: ApiEvent, out, context) => {
    const response = await handler(event, context as never);
    const { statusCode, headers } = response;
    await writeBody(response, awslambda.HttpResponseStream.from(out, { statusCode, headers }));
  }) as unknown as Handler;
}

/** Writes the body as fast as it is read. A closed connection stops the work on it. */
export async function writeBody({ body, stream }: ApiResponse, out: Writable): Promise<void> {
  const closed = new AbortController();
  const close = () => closed.abort();
  out.once('error', close);
  if (!stream) return void out.end(body);
  out.once('close', close); // after a complete answer, `close` has no effect
  for await (const part of stream(closed.signal)) {
    if (closed.signal.aborted) return;
    if (!out.write(part)) await Promise.race([once(out, 'drain'), once(out, 'close')]);
  }
  out.end();
}
