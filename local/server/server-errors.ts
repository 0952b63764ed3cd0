import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError, type ErrorCode } from '../../lambdas/domain/errors.ts';
import { env } from '../../lambdas/env.ts';
import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { unrouted } from '../../lambdas/runtime/endpoint.ts';
import { CONTEXT } from '../threads/endpoint-handler.ts';
import { forwardedAddress } from './forwarded-address.ts';
import { sendAnswer } from './send-answer.ts';

/*
 * Errors of the server itself, for requests that reach no handler. They have the form of an error for an unknown path
 * and count against the same rate limit.
 */

type Sender = Pick<IncomingMessage, 'socket' | 'headers'> & { readonly method?: string | undefined };

/** Returns the answer to a request that failed with this error. */
function ownError(error: unknown, sender: Sender): Promise<ApiResponse> {
  const event = {
    httpMethod: sender.method,
    headers: {},
    requestContext: {
      requestId: randomUUID(),
      identity: { sourceIp: forwardedAddress(sender, env.TRUST_PROXY) },
    },
  };
  return errorAnswer(error, event as unknown as ApiEvent);
}

export const errorAnswer = (error: unknown, event: ApiEvent): Promise<ApiResponse> =>
  unrouted(() => Promise.reject(error))(event, CONTEXT);

export async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const answer = await ownError(error, request);
  await sendAnswer(response, { ...answer, headers: { ...answer.headers, ...headers } });
}

/** Errors of Node's HTTP parser, by code. */
const PARSER_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'The address and headers of a request may have 16 kB together. Send less.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time. Send it again.'],
};
const NOT_HTTP = ['invalid_request', 'This is not a valid HTTP/1.1 request'] as const;
const NO_PROXY = ['method_not_allowed', 'This server is no proxy'] as const;

/** Answers requests that are not HTTP, and `CONNECT`: Node would close the connection, or answer without a body. */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else void endWith(socket, PARSER_ERRORS[error.code ?? ''] ?? NOT_HTTP);
  });
  server.on('connect', (_, socket) => void endWith(socket, NO_PROXY));
}

async function endWith(socket: Duplex, [code, message]: readonly [ErrorCode, string]): Promise<void> {
  socket.on('error', () => socket.destroy()); // the client has gone
  const sender = { socket: socket as Socket, headers: {} };
  const { statusCode, headers, body } = await ownError(new AppError(code, message), sender);
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
  const head = [
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
