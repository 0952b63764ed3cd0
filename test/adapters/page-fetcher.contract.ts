import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { FetchRequest, FetchResult, PageFetcher } from '../../lambdas/core/ports/page-fetcher.ts';
import { literalAddress } from '../../lambdas/core/web/address.ts';
import { type CountingServer, CountingServers } from '../support/counting-server.ts';
import { LOCAL_NAMES, PRIVATE_HOSTS } from '../support/private-hosts.ts';
import { type RawServer, rawServer } from '../support/raw-server.ts';

export type FetcherOptions = {
  readonly allowHosts: readonly string[];
  /** The addresses of every name. @default what the machine's resolver answers */
  readonly addresses?: readonly string[];
};

type Make = (options: FetcherOptions) => PageFetcher;
type Setup = {
  readonly servers: CountingServers;
  readonly make: Make;
  readonly get: (url: string, more?: Partial<FetchRequest>, from?: PageFetcher) => Promise<FetchResult>;
};

const LOOPBACK = ['127.0.0.1', '::1'];
const TEXT = 'text '.repeat(1000);

/** The promises of `PageFetcher`. Every fetcher is closed after its test. */
export function pageFetcherContract(name: string, makeFetcher: Make): void {
  describe(`PageFetcher: ${name}`, () => {
    const servers = new CountingServers();
    const opened: PageFetcher[] = [];
    afterEach(async () => {
      for (const fetcher of opened.splice(0)) await fetcher.close();
      servers.close();
    });
    const make: Make = (options) => {
      const fetcher = makeFetcher(options);
      opened.push(fetcher);
      return fetcher;
    };
    const get: Setup['get'] = (url, more = {}, from = make({ allowHosts: LOOPBACK })) =>
      from.fetch({ url, maxBytes: 100_000, timeoutMs: 3000, ...more });
    const setup: Setup = { servers, make, get };
    describe('a request', () => requests(setup));
    describe('an answer', () => answers(setup));
    describe('a packed body', () => packedBodies(setup));
    describe('the size limit', () => sizeLimit(setup));
    describe('a stream', () => streams(setup));
    describe('the deadline', () => deadline(setup));
    describe('a failure', () => failures(setup));
    describe('a private address', () => privateAddresses(setup));
  });
}

const textOf = (result: FetchResult) =>
  result.kind === 'response' ? Buffer.from(result.body).toString('latin1') : result.reason;

async function allClosed(server: CountingServer): Promise<void> {
  for (let tries = 0; tries < 200 && server.open > 0; tries += 1) await sleep(10);
  expect(server.open).toBe(0);
}

function requests({ servers, make, get }: Setup): void {
  const echo = () => servers.http((request, response) => response.end(JSON.stringify([request.url, request.headers])));

  it('sends the URL as it is but for its fragment', async () => {
    const { url } = await echo();
    const from = make({ allowHosts: LOOPBACK });
    for (const [path, sent] of [
      ['/?#part', '/?'],
      ['/a?b=%7e&c', '/a?b=%7e&c'],
    ] as const) {
      expect(JSON.parse(textOf(await get(url + path, {}, from)))[0]).toBe(sent);
    }
  });

  it('sends Accept and the validators', async () => {
    const { url } = await echo();
    const lastModified = 'Tue, 01 Jul 2025 00:00:00 GMT';
    const [, headers] = JSON.parse(textOf(await get(url, { etag: 'W/"1"', lastModified, accept: 'text/html' })));
    expect(headers).toMatchObject({
      accept: 'text/html',
      'if-none-match': 'W/"1"',
      'if-modified-since': lastModified,
    });
  });

  it('leaves out validators that no header can carry', async () => {
    const { url } = await echo();
    const [, headers] = JSON.parse(textOf(await get(url, { etag: '"a"\r\nX-Evil: 1', lastModified: '\u2028' })));
    for (const header of ['if-none-match', 'if-modified-since', 'x-evil']) expect(headers).not.toHaveProperty(header);
  });

  it('sends no cookie back', async () => {
    const { url } = await servers.http((request, response) => {
      response.setHeader('Set-Cookie', 'a=1').end(String(request.headers.cookie));
    });
    const from = make({ allowHosts: LOOPBACK });
    await get(url, {}, from);
    expect(textOf(await get(url, {}, from))).toBe('undefined');
  });
}

function answers({ servers, get }: Setup): void {
  it('has status, headers and body', async () => {
    const { url } = await servers.http((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html', 'X-Robots-Tag': ['noindex', 'nofollow'] }).end('hello');
    });
    const result = await get(url);
    expect(result).toMatchObject({
      kind: 'response',
      status: 200,
      headers: { 'content-type': 'text/html', 'x-robots-tag': 'noindex, nofollow' },
    });
    expect(textOf(result)).toBe('hello');
  });

  it('joins repeated list headers and takes the first of others', async () => {
    const { url } = await servers.sending(
      'HTTP/1.1 301 Moved\r\nLocation: /a\r\nLocation: /b\r\nX-Robots-Tag: noindex\r\nX-Robots-Tag: nofollow\r\n\r\n',
    );
    expect(await get(url)).toMatchObject({ headers: { location: '/a', 'x-robots-tag': 'noindex, nofollow' } });
  });

  it('that redirects is not followed', async () => {
    const server = await servers.http((_, response) => response.writeHead(302, { Location: '/next' }).end());
    expect(await get(server.url)).toMatchObject({ kind: 'response', status: 302, headers: { location: '/next' } });
    expect(server.requests).toBe(1);
  });

  it('of 304 has no body', async () => {
    const { url } = await servers.http((_, response) => response.writeHead(304, { etag: '"1"' }).end());
    expect(await get(url, { etag: '"1"' })).toMatchObject({
      status: 304,
      headers: { etag: '"1"' },
      body: new Uint8Array(),
    });
  });

  it('may come from an IPv6 address', async () => {
    const { url } = await servers.http((_, response) => response.end('six'), '::1');
    expect(textOf(await get(url))).toBe('six');
  });

  const start = 'HTTP/1.1 404 Not Found\r\n';
  it.each([
    ['never ends', (socket: Socket) => socket.write(`${start}\r\n`.padEnd(200_000))],
    ['does not come', (socket: Socket) => socket.write(`${start}Content-Length: 10\r\n\r\n`)],
    ['is incomplete', (socket: Socket) => socket.end(`${start}Content-Length: 10\r\n\r\nabc`)],
    ['is broken', (socket: Socket) => socket.end(`${start}Content-Encoding: gzip\r\n\r\nabc`)],
  ])('other than 2xx has an empty body, although the sent one %s', async (_, behave) => {
    const { url } = await servers.tcp(behave);
    expect(await get(url, { timeoutMs: 300 })).toMatchObject({
      kind: 'response',
      status: 404,
      body: new Uint8Array(),
    });
  });
}

function packedBodies({ servers, get }: Setup): void {
  const packed = (coding: string, body: Uint8Array) =>
    servers.http((_, response) => response.writeHead(200, { 'Content-Encoding': coding }).end(body));

  it.each([
    ['gzip', zlib.gzipSync(TEXT)],
    ['deflate', zlib.deflateSync(TEXT)],
    ['br', zlib.brotliCompressSync(TEXT)],
    ['zstd', zlib.zstdCompressSync(TEXT)],
    ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(TEXT))],
  ])('in %s is unpacked', async (coding, body) => {
    expect(textOf(await get((await packed(coding, body)).url))).toBe(TEXT);
  });

  it('may be empty', async () => {
    const { url } = await packed('gzip', Buffer.alloc(0));
    expect(await get(url)).toMatchObject({ status: 200, body: new Uint8Array() });
  });

  it.each([
    ['gzip', Buffer.from(TEXT)],
    ['gzip', zlib.gzipSync(TEXT).subarray(0, 40)],
    ['br', Buffer.from(TEXT)],
    ['zstd', zlib.zstdCompressSync(TEXT).subarray(0, 10)],
  ])('in %s that cannot be unpacked is bad content', async (coding, body) => {
    expect(await get((await packed(coding, body)).url)).toMatchObject({ kind: 'failure', reason: 'bad_content' });
  });

  const zeros = Buffer.alloc(20_000_000);
  it.each([
    ['gzip', zlib.gzipSync(zeros)],
    ['deflate', zlib.deflateSync(zeros)],
    ['br', zlib.brotliCompressSync(zeros, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['zstd', zlib.zstdCompressSync(zeros)],
    ['gzip, gzip', zlib.gzipSync(zlib.gzipSync(zeros))],
  ])('in %s that unpacks beyond the limit is too large', async (coding, body) => {
    expect(body.length).toBeLessThan(100_000);
    expect(await get((await packed(coding, body)).url)).toMatchObject({ kind: 'failure', reason: 'too_large' });
  });
}

function sizeLimit({ servers, get }: Setup): void {
  it('includes its last byte', async () => {
    const { url } = await servers.http((request, response) => response.end('a'.repeat(Number(request.url?.slice(1)))));
    expect(await get(`${url}/1000`, { maxBytes: 1000 })).toMatchObject({ kind: 'response' });
    expect(await get(`${url}/1001`, { maxBytes: 1000 })).toMatchObject({ kind: 'failure', reason: 'too_large' });
  });

  it('may be another for a media type, with another deadline', async () => {
    const { url } = await servers.http((request, response) => {
      response
        .setHeader('Content-Type', request.url === '/pdf' ? 'Application/PDF; x=y' : 'text/html')
        .write('a'.repeat(900));
      setTimeout(() => response.end('a'.repeat(900)), 400);
    });
    const limits = {
      maxBytes: 1000,
      timeoutMs: 200,
      limitsOfTypes: { 'application/pdf': { maxBytes: 2000, timeoutMs: 5000 } },
    };
    expect(await get(`${url}/pdf`, limits)).toMatchObject({ kind: 'response', status: 200 });
    expect(await get(`${url}/html`, limits)).toMatchObject({ kind: 'failure', reason: 'timeout' });
  });

  it('cuts the body where the request asks for that', async () => {
    const text = 'x'.repeat(500_000);
    const { url } = await servers.http((request, response) => {
      if (request.url === '/packed') response.setHeader('Content-Encoding', 'gzip').end(zlib.gzipSync(text));
      else response.end(text);
    });
    for (const path of ['/plain', '/packed']) {
      expect(textOf(await get(url + path, { truncate: true, maxBytes: 1000 }))).toBe('x'.repeat(1000));
      expect(textOf(await get(url + path, { maxBytes: 1000 }))).toBe('too_large');
    }
  });

  it('ends a body without end, and its connection', async () => {
    const server = await servers.http((_, response) => {
      const pour = () => {
        while (response.write('a'.repeat(10_000)) && !response.destroyed);
      };
      response.on('drain', pour);
      pour();
    });
    expect(await get(server.url)).toMatchObject({ kind: 'failure', reason: 'too_large' });
    await allClosed(server);
  });

  it('does not wait for a body that announces more', async () => {
    const server = await servers.tcp((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\na'));
    expect(await get(server.url)).toMatchObject({ kind: 'failure', reason: 'too_large' });
    await allClosed(server);
  });
}

function streams({ servers, make }: Setup): void {
  const text = 'line\n'.repeat(50_000);

  async function streamed(url: string, more: Partial<FetchRequest> = {}, maxParts = Number.POSITIVE_INFINITY) {
    const parts: Uint8Array[] = [];
    const request = { url, maxBytes: 1_000_000, timeoutMs: 3000, ...more };
    const result = await make({ allowHosts: LOOPBACK }).stream(request, (part) => {
      parts.push(Buffer.from(part));
      return parts.length < maxParts;
    });
    return { result, parts: parts.length, text: Buffer.concat(parts).toString('latin1') };
  }

  it.each([
    ['plain', {}, Buffer.from(text)],
    ['with a content coding', { 'Content-Encoding': 'br' }, zlib.brotliCompressSync(text)],
    ['a gzip file', { 'Content-Type': 'application/gzip' }, zlib.gzipSync(text)],
    ['a gzip file of a wrong type', { 'Content-Type': 'text/xml' }, zlib.gzipSync(text)],
    ['a gzip file with a content coding', { 'Content-Encoding': 'gzip' }, zlib.gzipSync(zlib.gzipSync(text))],
    ['a gzip file in members', {}, Buffer.concat([zlib.gzipSync(text.slice(0, 9)), zlib.gzipSync(text.slice(9))])],
    ['a gzip file with bytes after it', {}, Buffer.concat([zlib.gzipSync(text), Buffer.alloc(100_000)])],
  ])('passes on a body that is %s', async (_, headers, body) => {
    const { url } = await servers.http((__, response) => {
      response.writeHead(200, headers).write(body.subarray(0, 1));
      response.end(body.subarray(1));
    });
    const { result, ...rest } = await streamed(url);
    expect(result).toMatchObject({ kind: 'response', status: 200, body: new Uint8Array() });
    expect(rest.text).toBe(text);
    expect(rest.parts).toBeGreaterThan(1);
  });

  it('ends when `take` returns false, and the connection with it', async () => {
    const server = await servers.tcp((socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${text}`));
    const { result, parts } = await streamed(server.url, {}, 1);
    expect([result.kind, parts]).toEqual(['response', 1]);
    await allClosed(server);
  });

  it('passes on what comes before the limit and before a failure', async () => {
    const packed = zlib.gzipSync(text);
    const whole = await servers.http((_, response) => response.end(packed));
    expect(await streamed(whole.url, { maxBytes: 200_000 })).toMatchObject({
      result: { kind: 'failure', reason: 'too_large' },
      text: text.slice(0, 200_000),
    });
    const cutOff = await servers.http((_, response) => response.end(packed.subarray(0, packed.length - 9)));
    const halfRead = await streamed(cutOff.url);
    expect(halfRead.result).toMatchObject({ kind: 'failure', reason: 'bad_content' });
    expect(halfRead.text.length).toBeGreaterThan(100_000);
    const closed = await servers.sending(`HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n${text}`);
    expect(await streamed(closed.url)).toMatchObject({ result: { kind: 'failure', reason: 'connection' }, text });
  });

  it('has no parts for an answer other than 2xx', async () => {
    const { url } = await servers.http((_, response) => response.writeHead(404).end(text));
    expect(await streamed(url)).toMatchObject({ result: { status: 404 }, parts: 0 });
  });

  it('of a body that unpacks beyond the limit stays small', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(50_000_000));
    const { url } = await servers.http((_, response) => response.end(bomb));
    let longest = 0;
    let total = 0;
    const request = { url, maxBytes: 40_000_000, timeoutMs: 10_000 };
    const result = await make({ allowHosts: LOOPBACK }).stream(request, (part) => {
      longest = Math.max(longest, part.length);
      total += part.length;
      return true;
    });
    expect(result).toMatchObject({ reason: 'too_large' });
    expect(total).toBe(40_000_000);
    expect(longest).toBeLessThanOrEqual(65_536);
  });
}

function deadline({ servers, get }: Setup): void {
  const drip = (socket: Socket, start: string) => {
    socket.write(start);
    const timer = setInterval(() => socket.write('a'), 20);
    socket.on('close', () => clearInterval(timer));
  };

  it.each([
    ['a silent server', () => undefined],
    ['slow headers', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Slow: ')],
    ['a slow body', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\n\r\n')],
  ])('ends the wait for %s, and the connection', async (_, behave) => {
    const server = await servers.tcp(behave);
    const start = performance.now();
    expect(await get(server.url, { timeoutMs: 200 })).toMatchObject({ kind: 'failure', reason: 'timeout' });
    expect(performance.now() - start).toBeLessThan(1500);
    await allClosed(server);
  });

  it('ends interim answers without end', async () => {
    const server = await servers.tcp((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'.repeat(100)), 5);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await get(server.url, { timeoutMs: 200 })).toMatchObject({ kind: 'failure', reason: 'timeout' });
    await allClosed(server);
  });
}

function failures({ servers, make, get }: Setup): void {
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc';
  it.each([
    ['reset at once', (socket: Socket) => socket.resetAndDestroy()],
    ['closed at once', (socket: Socket) => socket.end()],
    ['reset in the body', (socket: Socket) => socket.write(ok, () => socket.resetAndDestroy())],
    ['closed before the end of the body', (socket: Socket) => socket.end(ok)],
  ])('is `connection` for a connection that is %s', async (_, behave) => {
    const { url } = await servers.tcp(behave);
    expect(await get(url)).toMatchObject({ kind: 'failure', reason: 'connection' });
  });

  it('is `connection` where nobody listens or speaks TLS', async () => {
    const { url } = await servers.sending('HTTP/1.1 200 OK\r\n\r\n');
    expect(await get(url.replace('http:', 'https:'))).toMatchObject({ kind: 'failure', reason: 'connection' });
    expect(await get('http://127.0.0.1:1/')).toMatchObject({ kind: 'failure', reason: 'connection' });
  });

  it.each(['ftp://127.0.0.1/', 'nowhere', ''])('is `connection` for the URL %j', async (url) => {
    expect(await get(url)).toMatchObject({ kind: 'failure', reason: 'connection' });
  });

  it('is `dns` for a name that does not resolve', async () => {
    expect(await get('http://no-such-host.invalid/')).toMatchObject({ kind: 'failure', reason: 'dns' });
  });

  it('is not retried', async () => {
    const server = await servers.tcp((socket) => socket.end());
    await get(server.url);
    expect(server.requests).toBe(1);
  });

  it('is `aborted` if the caller aborts, before the request or during it', async () => {
    const server = await servers.tcp((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nabc'));
    expect(await get(server.url, { signal: AbortSignal.abort() })).toMatchObject({ reason: 'aborted' });
    expect(server.connections).toBe(0);
    expect(await get(server.url, { signal: AbortSignal.timeout(100) })).toMatchObject({ reason: 'aborted' });
    await allClosed(server);
  });

  it('is `aborted` while and after the fetcher closes', async () => {
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

function privateAddresses({ make }: Setup): void {
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

  it.each(PRIVATE_HOSTS)('written as %s gets no connection', async (host) => {
    const allowHosts = ['127.0.0.2', `127.0.0.1:${server.port + 1}`, 'example.com'];
    expect(await outcomeOf(`http://${host}:${server.port}/`, { allowHosts })).toBe('private_address');
    expect(await outcomeOf(`https://${host}:${server.port}/`, { allowHosts })).toBe('private_address');
    expect(server.connections.made).toBe(0);
  });

  it.each(LOCAL_NAMES)('named %s gets no connection', async (host) => {
    const outcome = await outcomeOf(`http://${host}:${server.port}/`, { allowHosts: ['127.0.0.1'] });
    // Not every resolver knows every spelling.
    expect(['private_address', 'dns']).toContain(outcome);
    expect(server.connections.made).toBe(0);
  });

  it('gets no connection by any name that resolves to it, alone or beside a public address', async () => {
    const hosts = PRIVATE_HOSTS.map((host) => [literalAddress(new URL(`http://${host}/`).hostname) ?? host]);
    const mixed = [['93.184.215.14', '127.0.0.1'], ['2606:4700::1111', '::1'], ['fe80::1%lo']];
    for (const addresses of [...hosts, ...mixed]) {
      const outcome = await outcomeOf(`http://a.example:${server.port}/`, { allowHosts: ['127.0.0.1'], addresses });
      expect([addresses, outcome]).toEqual([addresses, 'private_address']);
    }
    expect(server.connections.made).toBe(0);
  });

  it('is fetched if host and port of the URL are admitted, whatever the name resolves to', async () => {
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
