import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { ApiEvent, ApiResponse } from './api-event.ts';

type Handler = (event: ApiEvent, context: never) => Promise<ApiResponse>;

/** Writes a response in the form that Lambda streams to API Gateway. Outside Lambda the handler stays as it is. */
export function streamed(handler: Handler): Handler {
  if (!('awslambda' in globalThis)) return handler;
  return awslambda.streamifyResponse(async (event: ApiEvent, out, context) => {
    const response = await handler(event, context as never);
    const { statusCode, headers } = response;
    await writeBody(response, awslambda.HttpResponseStream.from(out, { statusCode, headers }));
  }) as unknown as Handler;
}

/** Writes the body, at the pace at which it is read. A closed connection ends the work on it. */
export async function writeBody({ body, stream }: ApiResponse, out: Writable): Promise<void> {
  const closed = new AbortController();
  const close = () => closed.abort();
  out.once('error', close);
  if (!stream) return void out.end(body);
  out.once('close', close); // of an answer that is whole, it has nothing to end
  for await (const part of stream(closed.signal)) {
    if (closed.signal.aborted) return;
    if (!out.write(part)) await Promise.race([once(out, 'drain'), once(out, 'close')]);
  }
  out.end();
}
