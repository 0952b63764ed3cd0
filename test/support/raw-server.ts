import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export type RawRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Arrival, in milliseconds of `performance.now()`. */
  readonly at: number;
};

/** Bytes to send before the connection closes, or a function that handles the socket. */
export type RawAnswer = string | Uint8Array | ((socket: Socket, request: RawRequest) => void);

/** A server on loopback that may break any rule of HTTP, with a log of its requests. Unknown paths are 404. */
export type RawServer = {
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  readonly requests: readonly RawRequest[];
  /** `most` is the maximum that was open at once. */
  readonly connections: { made: number; open: number; most: number };
  close(): Promise<void>;
};

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
const END_OF_HEAD = '\r\n\r\n';

export async function rawServer(
  answers: Readonly<Record<string, RawAnswer>>,
  address: { readonly host?: string; readonly port?: number } = {},
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const connections = { made: 0, open: 0, most: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections.made += 1;
    connections.open += 1;
    connections.most = Math.max(connections.most, connections.open);
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      connections.open -= 1;
      sockets.delete(socket);
    });
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      const heads = received.split(END_OF_HEAD);
      received = heads.pop() ?? '';
      for (const head of heads) {
        if (socket.writableEnded) return; // sent before the client saw the close
        const request = requestOf(head);
        requests.push(request);
        send(answers[request.path] ?? NOT_FOUND, socket, request);
      }
    });
  });
  server.listen(address.port ?? 0, address.host ?? '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = `${address.host?.includes(':') ? `[${address.host}]` : (address.host ?? '127.0.0.1')}:${port}`;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin: `http://${host}`, host, port, requests, connections, close };
}

function requestOf(head: string): RawRequest {
  const [first = '', ...lines] = head.split('\r\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { method, path, headers: Object.fromEntries(headers), at: performance.now() };
}

function send(answer: RawAnswer, socket: Socket, request: RawRequest): void {
  if (typeof answer === 'function') answer(socket, request);
  else socket.end(answer);
}
