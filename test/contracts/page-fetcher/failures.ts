import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { literalAddress } from '../../../lambdas/text/web/address.ts';
import { LOCAL_NAMES, PRIVATE_HOSTS } from '../../support/private-hosts.ts';
import { type RawServer, rawServer } from '../../support/raw-server.ts';
import { allClosed, type FetcherOptions, LOOPBACK, type Setup } from './setup.ts';

export function failures({ servers, make, get }: Setup): void {
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc';
  it.each([
    ['reset at once', (socket: Socket) => socket.resetAndDestroy()],
    ['closed at once', (socket: Socket) => socket.end()],
    ['reset in the body', (socket: Socket) => socket.write(ok, () => socket.resetAndDestroy())],
    ['closed before the end of the body', (socket: Socket) => socket.end(ok)],
  ])('a failure is `connection` for a connection that is %s', async (_, behave) => {
    const { url } = await servers.tcp(behave);
    expect(await get(url)).toMatchObject({ kind: 'failure', reason: 'connection' });
  });

  it('a failure is `connection` where nobody listens or speaks TLS', async () => {
    const { url } = await servers.sending('HTTP/1.1 200 OK\r\n\r\n');
    expect(await get(url.replace('http:', 'https:'))).toMatchObject({ kind: 'failure', reason: 'connection' });
    expect(await get('http://127.0.0.1:1/')).toMatchObject({ kind: 'failure', reason: 'connection' });
  });

  it.each(['ftp://127.0.0.1/', 'nowhere', ''])('is `connection` for the URL %j', async (url) => {
    expect(await get(url)).toMatchObject({ kind: 'failure', reason: 'connection' });
  });

  it('a failure is `dns` for a name that does not resolve', async () => {
    expect(await get('http://no-such-host.invalid/')).toMatchObject({ kind: 'failure', reason: 'dns' });
  });

  it('a failure is not retried', async () => {
    const server = await servers.tcp((socket) => socket.end());
    await get(server.url);
    expect(server.requests).toBe(1);
  });

  it('a failure is `aborted` if the caller aborts, before the request or during it', async () => {
    const server = await servers.tcp((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nabc'));
    expect(await get(server.url, { signal: AbortSignal.abort() })).toMatchObject({ reason: 'aborted' });
    expect(server.connections).toBe(0);
    expect(await get(server.url, { signal: AbortSignal.timeout(100) })).toMatchObject({ reason: 'aborted' });
    await allClosed(server);
  });

  it('a failure is `aborted` while and after the fetcher closes', async () => {
    const { promise: received, resolve } = Promise.withResolvers<void>();
    const server = await servers.tcp(() => resolve());
    const from = make({ allowHosts: LOOPBACK });
    const waiting = get(server.url, {}, from);
    await received;
    await from.close();
    expect(await waiting).toMatchObject({ kind: 'failure', reason: 'aborted' });
    expect(await get(server.url, {}, from)).toMatchObject({ kind: 'failure', reason: 'aborted' });
    await allClosed(server);
  });
}

export function privateAddresses({ make }: Setup): void {
  let server: RawServer;
  beforeAll(async () => {
    server = await rawServer({ '/': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nin' }, { host: '::' });
  });
  afterAll(() => server.close());

  /** Fetches and streams; both must have the same outcome. */
  async function outcomeOf(url: string, options: FetcherOptions): Promise<string> {
    const fetcher = make(options);
    const request = { url, maxBytes: 1000, timeoutMs: 2000 };
    const [outcome, streamed] = [await fetcher.fetch(request), await fetcher.stream(request, () => true)].map(
      (result) => (result.kind === 'failure' ? result.reason : String(result.status)),
    );
    expect(streamed).toBe(outcome);
    return String(outcome);
  }

  it.each(PRIVATE_HOSTS)('a private address written as %s gets no connection', async (host) => {
    const allowHosts = ['127.0.0.2', `127.0.0.1:${server.port + 1}`, 'example.com'];
    expect(await outcomeOf(`http://${host}:${server.port}/`, { allowHosts })).toBe('private_address');
    expect(await outcomeOf(`https://${host}:${server.port}/`, { allowHosts })).toBe('private_address');
    expect(server.connections.made).toBe(0);
  });

  it.each(LOCAL_NAMES)('a private address named %s gets no connection', async (host) => {
    const outcome = await outcomeOf(`http://${host}:${server.port}/`, { allowHosts: ['127.0.0.1'] });
    // Some resolvers do not accept every spelling.
    expect(['private_address', 'dns']).toContain(outcome);
    expect(server.connections.made).toBe(0);
  });

  it('a private address gets no connection by any name that resolves to it, alone or beside a public address', async () => {
    const hosts = PRIVATE_HOSTS.map((host) => [literalAddress(new URL(`http://${host}/`).hostname) ?? host]);
    const mixed = [['93.184.215.14', '127.0.0.1'], ['2606:4700::1111', '::1'], ['fe80::1%lo']];
    for (const addresses of [...hosts, ...mixed]) {
      const outcome = await outcomeOf(`http://a.example:${server.port}/`, { allowHosts: ['127.0.0.1'], addresses });
      expect([addresses, outcome]).toEqual([addresses, 'private_address']);
    }
    expect(server.connections.made).toBe(0);
  });

  it('a private address is fetched if host and port of the URL are admitted, whatever the name resolves to', async () => {
    const allowHosts = [`localhost:${server.port}`, 'inner.example'];
    const inside = { allowHosts, addresses: ['127.0.0.1'] };
    expect(await outcomeOf(`http://127.0.0.1:${server.port}/`, { allowHosts })).toBe('private_address');
    expect(await outcomeOf(`http://localhost:${server.port + 1}/`, { allowHosts })).toBe('private_address');
    expect(await outcomeOf(`http://outer.example:${server.port}/`, inside)).toBe('private_address');
    expect(server.connections.made).toBe(0);
    expect(await outcomeOf(`http://localhost:${server.port}/`, { allowHosts })).toBe('200');
    expect(await outcomeOf(`http://inner.example:${server.port}/`, inside)).toBe('200');
    expect(server.connections.made).toBe(4);
  });
}
