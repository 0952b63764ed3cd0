import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, type ErrorCode } from '../../lambdas/core/errors.ts';
import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { log } from '../../lambdas/runtime/log.ts';
import { failure } from '../../lambdas/runtime/responses.ts';
import { sendAnswer } from './send-answer.ts';

/* Errors of the server itself, for requests that no handler sees. They have the form of all others. */

/** Logs the error under the id of its answer. */
function ownError(code: ErrorCode, message: string, cause?: unknown): ApiResponse {
  const requestId = randomUUID();
  log(code === 'internal_error' ? 'error' : 'info', 'refused', {
    requestId,
    code,
    ...(cause !== undefined && { error: cause }),
  });
  return failure(new AppError(code, message), { requestContext: { requestId } } as ApiEvent);
}

export function refuse(
  response: ServerResponse,
  code: ErrorCode,
  message: string,
  { headers = {}, cause }: { readonly headers?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
): void {
  const answer = ownError(code, message, cause);
  void sendAnswer(response, { ...answer, headers: { ...answer.headers, ...headers } });
}

/** The errors of Node's HTTP parser, by code. */
const PARSER_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'The address and headers of a request may have 16 kB together. Send less.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time. Send it again.'],
};
const NOT_HTTP = ['invalid_request', 'This is not a valid HTTP/1.1 request'] as const;

/** Answers what is not HTTP, and `CONNECT`: Node would close the connection, or answer without a body. */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else endWith(socket, ...(PARSER_ERRORS[error.code ?? ''] ?? NOT_HTTP));
  });
  server.on('connect', (_, socket) => endWith(socket, 'method_not_allowed', 'This server is no proxy'));
}

function endWith(socket: Duplex, code: ErrorCode, message: string): void {
  const { statusCode, headers, body } = ownError(code, message);
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
  const head = [
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
  ];
  socket.on('error', () => socket.destroy()); // the client has gone
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
