import type { ServerResponse } from 'node:http';
import type { ApiResponse } from '../../lambdas/runtime/api-event.ts';

/** Sends an answer with its length, so that Node does not send it in chunks. */
export function sendAnswer(response: ServerResponse, { statusCode, headers, body }: ApiResponse): void {
  const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
  if (!response.headersSent) response.writeHead(statusCode, { ...headers, ...length });
  response.end(body);
}
