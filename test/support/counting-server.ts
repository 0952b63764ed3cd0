import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';

/** A server on loopback. `connections` and `requests` count those so far, `open` the connections that are open now. */
export type CountingServer = {
  readonly url: string;
  readonly port: number;
  connections: number;
  requests: number;
  open: number;
};

/** Servers of one test; `close` ends them with all their connections. */
export class CountingServers {
  readonly #closers: (() => void)[] = [];

  http(handler: RequestListener, host = '127.0.0.1'): Promise<CountingServer> {
    return this.#listen(host, (counts) =>
      createHttpServer((request, response) => {
        counts.requests += 1;
        handler(request, response);
      }),
    );
  }

  /** A TCP server that calls `onRequest` when it receives data; `request` counts from 1 on each connection. */
  tcp(onRequest: (socket: Socket, request: number) => void): Promise<CountingServer> {
    return this.#listen('127.0.0.1', (counts) =>
      createServer((socket) => {
        let requests = 0;
        socket.on('data', () => {
          counts.requests += 1;
          requests += 1;
          onRequest(socket, requests);
        });
      }),
    );
  }

  /** A TCP server that sends this and closes the connection. */
  sending(answer: string): Promise<CountingServer> {
    return this.tcp((socket) => socket.end(answer, 'latin1'));
  }

  close(): void {
    for (const close of this.#closers.splice(0)) close();
  }

  async #listen(host: string, create: (counts: CountingServer) => Server): Promise<CountingServer> {
    const counts = { url: '', port: 0, connections: 0, requests: 0, open: 0 };
    const server = create(counts);
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      counts.connections += 1;
      counts.open += 1;
      sockets.add(socket.on('error', () => undefined));
      socket.on('close', () => {
        counts.open -= 1;
      });
    });
    server.listen(0, host);
    await once(server, 'listening');
    this.#closers.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port');
    const name = host.includes(':') ? `[${host}]` : host;
    return Object.assign(counts, { url: `http://${name}:${address.port}`, port: address.port });
  }
}
