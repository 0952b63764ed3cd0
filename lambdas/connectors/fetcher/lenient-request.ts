import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import { FetchError } from './fetch-error.ts';

export type LenientAnswer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & {
  readonly body: IncomingMessage;
};

type RequestOptions = {
  readonly origin: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
};

/**
 * Sends a request by node:http, which ignores a `100 Continue` that nobody asked for (RFC 9110, 15.2.1); undici closes
 * the connection of such a server. Uses the same connector, so that no other address is reached.
 */
export function lenientRequest(
  connect: buildConnector.connector,
  { origin, path, headers, signal }: RequestOptions,
): Promise<LenientAnswer> {
  const { hostname, host, protocol, port } = new URL(origin);
  const { promise, resolve, reject } = Promise.withResolvers<LenientAnswer>();
  const target = { hostname, host, protocol, port };
  const sent = request({
    host: hostname,
    path,
    signal,
    headers: { ...headers, host, connection: 'close' },
    createConnection: (_, created) => {
      connect(target, (error, socket) => created(error, socket as Socket));
      return undefined;
    },
  });
  sent.once('response', (body) => {
    if (body.statusCode === 101) sent.destroy(switched());
    else resolve({ statusCode: body.statusCode ?? 0, headers: body.headers, body });
  });
  sent.once('upgrade', (_, socket) => {
    socket.destroy();
    reject(switched());
  });
  sent.on('error', reject);
  sent.end();
  return promise;
}

const switched = () => new FetchError('bad_content', 'the server switched protocols (101), which nobody asked for');
