import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { httpFetcher } from '../../lambdas/adapters/http-fetcher.ts';
import type { FetchRequest, FetchResult, PageFetcher } from '../../lambdas/core/ports/page-fetcher.ts';

type Site = { readonly url: string; readonly port: number; connections: number; requests: number; open: number };

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function listen(server: Server, host: string): Promise<Site> {
  const sockets = new Set<Socket>();
  const site = { url: '', port: 0, connections: 0, requests: 0, open: 0 };
  server.on('connection', (socket: Socket) => {
    site.connections += 1;
    site.open += 1;
    sockets.add(socket.on('error', () => undefined));
    socket.on('close', () => {
      site.open -= 1;
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const name = host.includes(':') ? `[${host}]` : host;
  return Object.assign(site, { url: `http://${name}:${address.port}`, port: address.port });
}

/** A site that speaks HTTP. */
async function serve(handler: RequestListener, host = '127.0.0.1'): Promise<Site> {
  const server = createHttpServer((request, response) => {
    site.requests += 1;
    handler(request, response);
  });
  const site = await listen(server, host);
  return site;
}

/** A site that does as it likes, once it has been sent something. */
async function serveRaw(onRequest: (socket: Socket, requestOfSocket: number) => void): Promise<Site> {
  const server = createServer((socket) => {
    let requests = 0;
    socket.on('data', () => {
      site.requests += 1;
      requests += 1;
      onRequest(socket, requests);
    });
  });
  const site = await listen(server, '127.0.0.1');
  return site;
}

function fetcher(options: Partial<Parameters<typeof httpFetcher>[0]> = {}): PageFetcher {
  const made = httpFetcher({
    userAgent: 'TestBot/1.0',
    allowHosts: ['127.0.0.1', '::1'],
    connectionsPerHost: 5,
    ...options,
  });
  closers.push(() => made.close());
  return made;
}

const get = (url: string, more: Partial<FetchRequest> = {}, from: PageFetcher = fetcher()) =>
  from.fetch({ url, maxBytes: 100_000, timeoutMs: 3000, ...more });
const textOf = (result: FetchResult) =>
  result.kind === 'response' ? Buffer.from(result.body).toString('latin1') : result.reason;
const raw = (answer: string) => serveRaw((socket) => socket.end(answer, 'latin1'));

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !isTrue(); tries += 1) await sleep(10);
  expect(isTrue()).toBe(true);
}

describe('an answer', () => {
  it('is cut where that was asked for', async () => {
    const text = 'x'.repeat(500_000);
    const site = await serve((request, response) => {
      if (request.url === '/packed') response.setHeader('Content-Encoding', 'gzip').end(zlib.gzipSync(text));
      else response.end(text);
    });
    for (const path of ['/plain', '/packed']) {
      expect(textOf(await get(site.url + path, { truncate: true, maxBytes: 1000 }))).toBe('x'.repeat(1000));
      expect(textOf(await get(site.url + path, { maxBytes: 1000 }))).toBe('too_large');
    }
  });

  it('has status, headers and body as they are', async () => {
    const site = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html', 'X-Robots-Tag': ['noindex', 'nofollow'] }).end('hello');
    });
    const result = await get(`${site.url}/`);
    expect(result).toMatchObject({
      kind: 'response',
      status: 200,
      headers: { 'content-type': 'text/html', 'x-robots-tag': 'noindex, nofollow' },
    });
    expect(textOf(result)).toBe('hello');
  });

  it('is asked for by name, with the validators that a header may hold', async () => {
    const site = await serve((request, response) => response.end(JSON.stringify([request.url, request.headers])));
    const from = fetcher();
    const ask = async (path: string, more: Partial<FetchRequest>) =>
      JSON.parse(textOf(await get(site.url + path, more, from)));
    const lastModified = 'Tue, 01 Jul 2025 00:00:00 GMT';
    expect(await ask('/?#part', { etag: 'W/"1"', lastModified, accept: 'text/html' })).toEqual([
      '/?',
      {
        host: `127.0.0.1:${site.port}`,
        connection: 'keep-alive',
        'user-agent': 'TestBot/1.0',
        accept: 'text/html',
        'accept-encoding': 'gzip, deflate, br, zstd',
        'if-none-match': 'W/"1"',
        'if-modified-since': lastModified,
      },
    ]);
    const [path, headers] = await ask('/a?b=%7e&c', { etag: '"a"\r\nX-Evil: 1', lastModified: '\u2028' });
    expect(path).toBe('/a?b=%7e&c');
    expect(Object.keys(headers)).toEqual(['host', 'connection', 'user-agent', 'accept', 'accept-encoding']);
  });

  it('of a redirect is not followed, and its Location may be raw UTF-8', async () => {
    const location = Buffer.from('/café').toString('latin1');
    const site = await raw(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`);
    expect(await get(site.url)).toMatchObject({ kind: 'response', status: 302, headers: { location: '/café' } });
    expect(site.requests).toBe(1);
  });

  it('of 304 has no body', async () => {
    const site = await serve((_, response) => response.writeHead(304, { etag: '"1"' }).end());
    expect(await get(site.url, { etag: '"1"' })).toMatchObject({
      status: 304,
      headers: { etag: '"1"' },
      body: Buffer.alloc(0),
    });
  });

  it('leaves no cookie', async () => {
    const site = await serve((request, response) => {
      response.setHeader('Set-Cookie', 'a=1').end(String(request.headers.cookie));
    });
    const from = fetcher();
    await get(site.url, {}, from);
    expect(textOf(await get(site.url, {}, from))).toBe('undefined');
  });

  it('may be HTTP/1.0, without length and type', async () => {
    const result = await get((await raw('HTTP/1.0 200 OK\r\n\r\nold')).url);
    expect(result).toMatchObject({ kind: 'response', status: 200, headers: {} });
    expect(textOf(result)).toBe('old');
  });

  it('may be chunked, and preceded by others', async () => {
    const site = await raw(
      'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
    );
    expect(textOf(await get(site.url))).toBe('abcde');
  });

  it('ends at its declared length', async () => {
    const site = await raw('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdefgh');
    expect(textOf(await get(site.url))).toBe('abc');
  });

  it('comes from an IPv6 address too', async () => {
    const site = await serve((_, response) => response.end('six'), '::1');
    expect(textOf(await get(site.url))).toBe('six');
  });

  it.each([
    ['never ends', (socket: Socket) => socket.write('HTTP/1.1 404 Not Found\r\n\r\n'.padEnd(200_000))],
    ['does not come', (socket: Socket) => socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 10\r\n\r\n')],
    ['is cut off', (socket: Socket) => socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 10\r\n\r\nabc')],
    ['is broken', (socket: Socket) => socket.end('HTTP/1.1 404 Not Found\r\nContent-Encoding: gzip\r\n\r\nabc')],
  ])('other than 2xx counts though its body %s', async (_, behave) => {
    const site = await serveRaw(behave);
    expect(await get(site.url, { timeoutMs: 300 })).toMatchObject({
      kind: 'response',
      status: 404,
      body: new Uint8Array(),
    });
  });
});

describe('a header that is sent twice', () => {
  it('is a list, or counts the first time', async () => {
    const site = await raw(
      'HTTP/1.1 301 Moved\r\nLocation: /a\r\nLocation: /b\r\nX-Robots-Tag: noindex\r\nX-Robots-Tag: nofollow\r\n\r\n',
    );
    expect(await get(site.url)).toMatchObject({ headers: { location: '/a', 'x-robots-tag': 'noindex, nofollow' } });
  });
});

describe('a packed body', () => {
  const text = 'text '.repeat(1000);
  const packed = (coding: string, body: Uint8Array) =>
    serve((_, response) => response.writeHead(200, { 'Content-Encoding': coding }).end(body));

  it.each([
    ['gzip', zlib.gzipSync(text)],
    ['X-GZip', zlib.gzipSync(text)],
    ['deflate', zlib.deflateSync(text)],
    ['deflate', zlib.deflateRawSync(text)],
    ['br', zlib.brotliCompressSync(text)],
    ['zstd', zlib.zstdCompressSync(text)],
    ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(text))],
    ['identity', Buffer.from(text)],
    ['UTF-8', Buffer.from(text)],
  ])('in %s is unpacked', async (coding, body) => {
    expect(textOf(await get((await packed(coding, body)).url))).toBe(text);
  });

  it('may be empty', async () => {
    expect(await get((await packed('gzip', Buffer.alloc(0))).url)).toMatchObject({
      status: 200,
      body: Buffer.alloc(0),
    });
  });

  it.each([
    ['compress', Buffer.from(text)],
    ['gzip', Buffer.from(text)],
    ['gzip', zlib.gzipSync(text).subarray(0, 40)],
    ['br', Buffer.from(text)],
    ['zstd', zlib.zstdCompressSync(text).subarray(0, 10)],
    ['gzip, gzip, gzip', zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(text)))],
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
  ])('in %s that would burst the limit is too large', async (coding, body) => {
    expect(body.length).toBeLessThan(100_000);
    expect(await get((await packed(coding, body)).url)).toMatchObject({ kind: 'failure', reason: 'too_large' });
  });
});

describe('a body', () => {
  it('may have as many bytes as allowed, and not one more', async () => {
    const site = await serve((request, response) => response.end('a'.repeat(Number(request.url?.slice(1)))));
    expect(await get(`${site.url}/1000`, { maxBytes: 1000 })).toMatchObject({ kind: 'response' });
    expect(await get(`${site.url}/1001`, { maxBytes: 1000 })).toMatchObject({ kind: 'failure', reason: 'too_large' });
  });

  it('without end is cut, and its connection closed', async () => {
    const site = await serve((_, response) => {
      const pour = () => {
        while (response.write('a'.repeat(10_000)) && !response.destroyed);
      };
      response.on('drain', pour);
      pour();
    });
    expect(await get(site.url)).toMatchObject({ kind: 'failure', reason: 'too_large' });
    await until(() => site.open === 0);
  });

  it('that announces too much is not waited for', async () => {
    const site = await serveRaw((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\na'));
    expect(await get(site.url)).toMatchObject({ kind: 'failure', reason: 'too_large' });
    await until(() => site.open === 0);
  });
});

describe('a stream', () => {
  const text = 'line\n'.repeat(50_000);

  async function streamed(url: string, more: Partial<FetchRequest> = {}, most = Number.POSITIVE_INFINITY) {
    const parts: Uint8Array[] = [];
    const result = await fetcher().stream({ url, maxBytes: 1_000_000, timeoutMs: 3000, ...more }, (part) => {
      parts.push(Buffer.from(part));
      return parts.length < most;
    });
    return { result, parts: parts.length, text: Buffer.concat(parts).toString('latin1') };
  }

  it.each([
    ['plain', {}, Buffer.from(text)],
    ['packed for the way', { 'Content-Encoding': 'br' }, zlib.brotliCompressSync(text)],
    ['a gzip file', { 'Content-Type': 'application/gzip' }, zlib.gzipSync(text)],
    ['a gzip file of a false type', { 'Content-Type': 'text/xml' }, zlib.gzipSync(text)],
    ['a gzip file packed for the way', { 'Content-Encoding': 'gzip' }, zlib.gzipSync(zlib.gzipSync(text))],
    ['a gzip file in members', {}, Buffer.concat([zlib.gzipSync(text.slice(0, 9)), zlib.gzipSync(text.slice(9))])],
    ['a gzip file with more behind it', {}, Buffer.concat([zlib.gzipSync(text), Buffer.alloc(100_000)])],
  ])('hands over a body that is %s', async (_, headers, body) => {
    const site = await serve((__, response) => {
      response.writeHead(200, headers).write(body.subarray(0, 1));
      response.end(body.subarray(1));
    });
    const { result, ...rest } = await streamed(site.url);
    expect(result).toMatchObject({ kind: 'response', status: 200, body: new Uint8Array() });
    expect(rest.text).toBe(text);
    expect(rest.parts).toBeGreaterThan(1);
  });

  it('ends when enough has been taken, and the connection with it', async () => {
    const site = await serveRaw((socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${text}`));
    const { result, parts } = await streamed(site.url, {}, 1);
    expect([result.kind, parts]).toEqual(['response', 1]);
    await until(() => site.open === 0);
  });

  it('hands over what came before the limit, and before a failure', async () => {
    const packed = zlib.gzipSync(text);
    const whole = await serve((_, response) => response.end(packed));
    expect(await streamed(whole.url, { maxBytes: 200_000 })).toMatchObject({
      result: { kind: 'failure', reason: 'too_large' },
      text: text.slice(0, 200_000),
    });
    const torn = await serve((_, response) => response.end(packed.subarray(0, packed.length - 9)));
    const halfRead = await streamed(torn.url);
    expect(halfRead.result).toMatchObject({ kind: 'failure', reason: 'bad_content' });
    expect(halfRead.text.length).toBeGreaterThan(100_000);
    const closed = await raw(`HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n${text}`);
    expect(await streamed(closed.url)).toMatchObject({ result: { kind: 'failure', reason: 'connection' }, text });
  });

  it('of an answer other than 200 has no parts', async () => {
    const site = await serve((_, response) => response.writeHead(404).end(text));
    expect(await streamed(site.url)).toMatchObject({ result: { status: 404 }, parts: 0 });
  });

  it('of a bomb stays small', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(50_000_000));
    const site = await serve((_, response) => response.end(bomb));
    let longest = 0;
    let total = 0;
    const result = await fetcher().stream({ url: site.url, maxBytes: 40_000_000, timeoutMs: 10_000 }, (part) => {
      longest = Math.max(longest, part.length);
      total += part.length;
      return true;
    });
    expect(result).toMatchObject({ reason: 'too_large' });
    expect(total).toBe(40_000_000);
    expect(longest).toBeLessThanOrEqual(65_536);
  });
});

describe('the deadline', () => {
  const drip = (socket: Socket, start: string) => {
    socket.write(start);
    const timer = setInterval(() => socket.write('a'), 20);
    socket.on('close', () => clearInterval(timer));
  };

  it.each([
    ['silence', () => undefined],
    ['slow headers', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Slow: ')],
    ['a slow body', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\n\r\n')],
  ])('ends %s, and the connection', async (_, behave) => {
    const site = await serveRaw(behave);
    const start = performance.now();
    expect(await get(site.url, { timeoutMs: 200 })).toMatchObject({ kind: 'failure', reason: 'timeout' });
    expect(performance.now() - start).toBeLessThan(1500);
    await until(() => site.open === 0);
  });

  it('ends interim answers without end', async () => {
    const site = await serveRaw((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'.repeat(100)), 5);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await get(site.url, { timeoutMs: 200 })).toMatchObject({ kind: 'failure', reason: 'timeout' });
    await until(() => site.open === 0);
  });

  it('ends the wait for a free connection', async () => {
    const site = await serveRaw(() => undefined);
    const from = fetcher({ connectionsPerHost: 1 });
    const first = get(site.url, { timeoutMs: 1000 }, from);
    const second = get(site.url, { timeoutMs: 100 }, from);
    expect(await Promise.race([first.then(() => 'first'), second.then(() => 'second')])).toBe('second');
    expect(await second).toMatchObject({ reason: 'timeout' });
    expect(await first).toMatchObject({ reason: 'timeout' });
    expect(site.requests).toBe(1);
  });

  it('may be called off, before and in between', async () => {
    const site = await serveRaw((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nabc'));
    expect(await get(site.url, { signal: AbortSignal.abort() })).toMatchObject({ kind: 'failure', reason: 'aborted' });
    expect(site.connections).toBe(0);
    expect(await get(site.url, { signal: AbortSignal.timeout(100) })).toMatchObject({ reason: 'aborted' });
    await until(() => site.open === 0);
  });
});

describe('a failing connection', () => {
  it.each([
    ['reset at once', (socket: Socket) => socket.resetAndDestroy()],
    ['closed at once', (socket: Socket) => socket.end()],
    [
      'reset in the body',
      (socket: Socket) =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', () => socket.resetAndDestroy()),
    ],
    ['closed too early', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc')],
    [
      'closed within a chunk',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc'),
    ],
    [
      'upgraded unasked',
      (socket: Socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    ],
  ])('that is %s is one', async (_, behave) => {
    const site = await serveRaw(behave);
    expect(await get(site.url)).toMatchObject({ kind: 'failure', reason: 'connection' });
  });

  it('is not tried again', async () => {
    const site = await serveRaw((socket) => socket.end());
    await get(site.url);
    expect(site.requests).toBe(1);
  });

  it('that had served before is replaced', async () => {
    const site = await serveRaw((socket, request) => {
      if (request > 1) socket.end();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const from = fetcher({ connectionsPerHost: 1 });
    for (let round = 0; round < 3; round += 1) expect(textOf(await get(site.url, {}, from))).toBe('ok');
    expect(site.connections).toBe(3);
  });

  it.each([
    ['is no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['has too many headers', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(10_000)}\r\n`],
    ['has a line that is no header', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'],
  ])('whose answer %s is bad content', async (_, answer) => {
    expect(await get((await raw(answer)).url)).toMatchObject({ kind: 'failure', reason: 'bad_content' });
  });

  it('is one where nobody listens, or nobody speaks TLS', async () => {
    const site = await raw('HTTP/1.1 200 OK\r\n\r\n');
    expect(await get(site.url.replace('http:', 'https:'))).toMatchObject({ kind: 'failure', reason: 'connection' });
    expect(await get('http://127.0.0.1:1/')).toMatchObject({
      reason: 'connection',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it.each(['ftp://127.0.0.1/', 'nowhere', ''])('is the answer to %j', async (url) => {
    expect(await get(url)).toMatchObject({ kind: 'failure', reason: 'connection' });
  });

  it('is told from a name that does not resolve', async () => {
    expect(await get('http://no-such-host.invalid/')).toMatchObject({ kind: 'failure', reason: 'dns' });
  });
});

describe('connections', () => {
  it('are kept, and one that is free is used again', async () => {
    const site = await serve((_, response) => response.end('a'));
    const from = fetcher({ connectionsPerHost: 5 });
    for (let round = 0; round < 10; round += 1) await get(`${site.url}/${round}`, {}, from);
    expect([site.connections, site.requests]).toEqual([1, 10]);
  });

  it('are as many as allowed at most', async () => {
    let most = 0;
    const site = await serve((_, response) => {
      most = Math.max(most, site.open);
      setTimeout(() => response.end('a'), 5);
    });
    const from = fetcher({ connectionsPerHost: 3 });
    const results = await Promise.all(Array.from({ length: 30 }, (_, index) => get(`${site.url}/${index}`, {}, from)));
    expect(results.every((result) => result.kind === 'response')).toBe(true);
    expect([most, site.connections]).toEqual([3, 3]);
  });

  it('are closed with the fetcher, which then refuses', async () => {
    const site = await serveRaw(() => undefined);
    const from = fetcher();
    const waiting = get(site.url, {}, from);
    await until(() => site.requests === 1);
    await from.close();
    expect(await waiting).toMatchObject({ kind: 'failure', reason: 'aborted' });
    expect(await get(site.url, {}, from)).toMatchObject({ kind: 'failure', reason: 'aborted' });
    await until(() => site.open === 0);
  });
});
