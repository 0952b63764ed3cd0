import type { ServerResponse } from 'node:http';
import type { ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { writeBody } from '../../lambdas/runtime/response-stream.ts';

/** Sends an answer with its length, so that Node does not send it in chunks. */
export async function sendAnswer(response: ServerResponse, answer: ApiResponse): Promise<void> {
  const { statusCode, headers, body, stream } = answer;
  const length = body === '' || stream ? {} : { 'Content-Length': Buffer.byteLength(body) };
  if (!response.headersSent) response.writeHead(statusCode, { ...headers, ...length });
  await writeBody(answer, response);
}
