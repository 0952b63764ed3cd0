import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { writeBody } from '../../lambdas/runtime/response-stream.ts';

/** The longest wait for the rest of a request's body after its answer. */
const LINGER_MS = 5000;

/** Sends an answer with its length, because Node would otherwise send it in chunks. */
export async function sendAnswer(response: ServerResponse, answer: ApiResponse): Promise<void> {
  const { statusCode, headers, body, stream } = answer;
  const length = body === '' || stream ? {} : { 'Content-Length': Buffer.byteLength(body) };
  if (!response.req.complete && !response.headersSent && !stream) {
    response.writeHead(statusCode, { ...headers, ...length, Connection: 'close' }).write(body);
    void endAfterBody(response);
    return;
  }
  if (!response.headersSent) response.writeHead(statusCode, { ...headers, ...length });
  await writeBody(answer, response);
}

/**
 * Reads and discards the rest of the request before the connection is closed. Many clients read the answer only after
 * they have sent everything, and lose it if the connection is closed earlier.
 */
async function endAfterBody(response: ServerResponse): Promise<void> {
  const { req: request } = response;
  const over = AbortSignal.timeout(LINGER_MS);
  await once(request.resume(), 'end', { signal: over }).catch(() => undefined);
  response.end();
}
