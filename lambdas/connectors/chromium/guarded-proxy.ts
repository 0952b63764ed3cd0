import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Agent, type buildConnector } from 'undici';

export type GuardedProxy = { readonly port: number; close(): Promise<void> };

/** Headers of a single connection (RFC 9110, 7.6.1). A proxy does not forward them. */
const HOP_HEADERS = ['connection', 'proxy-connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'];
const REFUSED = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
const CONNECTED = 'HTTP/1.1 200 Connection Established\r\n\r\n';

/**
 * Starts an HTTP proxy on loopback that reaches only what `connect` reaches, so that a browser obeys the crawler's
 * rules.
 */
export async function startGuardedProxy(connect: buildConnector.connector): Promise<GuardedProxy> {
  const agent = new Agent({ connect, allowH2: false });
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    forward(agent, request, response).catch(() => refuse(response));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (request, client: Socket, head: Buffer) => tunnel(connect, request.url ?? '', client, head));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await agent.destroy();
    },
  };
}

async function forward(agent: Agent, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = URL.parse(request.url ?? '');
  if (url?.protocol !== 'http:') return refuse(response);
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !HOP_HEADERS.includes(name)));
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  const answer = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method as 'GET',
    headers,
    body: request.method === 'GET' || request.method === 'HEAD' ? null : request,
    signal: controller.signal,
  });
  const kept = Object.entries(answer.headers).filter(([name]) => !HOP_HEADERS.includes(name));
  response.writeHead(answer.statusCode, Object.fromEntries(kept));
  await pipeline(answer.body, response);
}

function refuse(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(403, { 'content-length': '0' }).end();
}

/** Opens a tunnel. Asks the connector for `http:`, because the browser itself speaks TLS inside the tunnel. */
function tunnel(connect: buildConnector.connector, authority: string, client: Socket, head: Buffer): void {
  client.on('error', () => client.destroy());
  const target = URL.parse(`http://${authority}`);
  if (target === null) return void client.end(REFUSED);
  const { hostname, host } = target;
  connect({ hostname, host, protocol: 'http:', port: target.port || '80' }, (error, server) => {
    if (error !== null || server === null) return void client.end(REFUSED);
    server.on('error', () => client.destroy());
    client.once('close', () => server.destroy());
    server.once('close', () => client.destroy());
    if (client.destroyed) return void server.destroy();
    client.write(CONNECTED);
    server.write(head);
    client.pipe(server).pipe(client);
  });
}
