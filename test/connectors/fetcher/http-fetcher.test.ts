import type { Socket } from 'node:net';
import zlib from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { addressCheck } from '../../../lambdas/connectors/fetcher/address-check.ts';
import type { Resolve } from '../../../lambdas/connectors/fetcher/guarded-connector.ts';
import { httpFetcher } from '../../../lambdas/connectors/fetcher/http-fetcher.ts';
import type { FetchRequest, FetchResult, PageFetcher } from '../../../lambdas/domain/ports/page-fetcher.ts';
import { pageFetcherContract } from '../../contracts/page-fetcher.contract.ts';
import { CountingServers } from '../../support/counting-server.ts';
import { rawServer } from '../../support/raw-server.ts';

/** A resolver that answers these lists of addresses one after the other, and then repeats the last. */
function resolver(...answers: readonly (readonly string[])[]): Resolve {
  let lookups = 0;
  return (_, __, callback) => {
    const addresses = answers[Math.min(lookups, answers.length - 1)] ?? [];
    lookups += 1;
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

pageFetcherContract('HTTP', ({ allowHosts, addresses }) =>
  httpFetcher({
    userAgent: 'TestBot/1.0',
    allowHosts,
    connectionsPerHost: 5,
    ...(addresses && { resolve: resolver(addresses) }),
  }),
);

const servers = new CountingServers();
const opened: PageFetcher[] = [];
afterEach(async () => {
  for (const fetcher of opened.splice(0)) await fetcher.close();
  servers.close();
});

function fetcher(options: Partial<Parameters<typeof httpFetcher>[0]> = {}): PageFetcher {
  const made = httpFetcher({ userAgent: 'TestBot/1.0', allowHosts: ['127.0.0.1'], connectionsPerHost: 5, ...options });
  opened.push(made);
  return made;
}

const get = (url: string, more: Partial<FetchRequest> = {}, from: PageFetcher = fetcher()) =>
  from.fetch({ url, maxBytes: 100_000, timeoutMs: 3000, ...more });
const textOf = (result: FetchResult) =>
  result.kind === 'response' ? Buffer.from(result.body).toString('latin1') : result.reason;

describe('a server', () => {
  const page = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

  it('a server may send 100 Continue before each answer', async () => {
    const site = await rawServer({
      '/one': (socket) => void socket.write(`HTTP/1.1 100 Continue\r\n\r\n${page('one')}`),
      '/two': (socket) => {
        socket.write('HTTP/1.1 100 Continue\r\n\r\n');
        setTimeout(() => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${page('two')}`), 20);
      },
      '/gone': 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone',
      '/slow': (socket) => void socket.write('HTTP/1.1 100 Continue\r\n\r\n'),
    });
    const from = fetcher();
    expect(textOf(await get(`${site.origin}/one`, {}, from))).toBe('one');
    expect(textOf(await get(`${site.origin}/two`, {}, from))).toBe('two');
    expect(await get(`${site.origin}/gone`, {}, from)).toMatchObject({ kind: 'response', status: 404 });
    expect(textOf(await get(`${site.origin}/slow`, { timeoutMs: 200 }, from))).toBe('timeout');
    await site.close();
  });

  it.each([
    ['close', (socket: Socket) => void socket.destroy()],
    ['reset', (socket: Socket) => void socket.resetAndDestroy()],
  ])('may %s all kept connections when they are used again', async (_, drop) => {
    const fresh = new WeakSet<Socket>();
    const site = await rawServer({
      '/': (socket) => {
        if (fresh.has(socket)) return drop(socket);
        fresh.add(socket);
        setTimeout(() => socket.write(page('here')), 30); // so that each request has a separate connection
      },
    });
    const from = fetcher();
    const all = () => Promise.all(Array.from({ length: 5 }, () => get(`${site.origin}/`, {}, from)));
    expect((await all()).map(textOf)).toEqual(Array(5).fill('here'));
    for (let request = 0; request < 3; request++) expect(textOf(await get(`${site.origin}/`, {}, from))).toBe('here');
    expect((await all()).map(textOf)).toEqual(Array(5).fill('here'));
    await site.close();
  });
});

describe('a request', () => {
  it('a request has the headers of the fetcher and no others', async () => {
    const site = await servers.http((request, response) => response.end(JSON.stringify(request.headers)));
    const from = fetcher();
    const lastModified = 'Tue, 01 Jul 2025 00:00:00 GMT';
    const headersFor = async (more: Partial<FetchRequest>) => JSON.parse(textOf(await get(site.url, more, from)));
    expect(await headersFor({ etag: 'W/"1"', lastModified, accept: 'text/html' })).toEqual({
      host: `127.0.0.1:${site.port}`,
      connection: 'keep-alive',
      'user-agent': 'TestBot/1.0',
      accept: 'text/html',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'if-none-match': 'W/"1"',
      'if-modified-since': lastModified,
    });
    const plain = await headersFor({ etag: '"a"\r\nX-Evil: 1', lastModified: '\u2028' });
    expect(Object.keys(plain)).toEqual(['host', 'connection', 'user-agent', 'accept', 'accept-encoding']);
  });
});

describe('an answer', () => {
  it('an answer may have raw UTF-8 in Location', async () => {
    const location = Buffer.from('/café').toString('latin1');
    const site = await servers.sending(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`);
    expect(await get(site.url)).toMatchObject({ kind: 'response', status: 302, headers: { location: '/café' } });
    expect(site.requests).toBe(1);
  });

  it('an answer may be HTTP/1.0, without length and type', async () => {
    const result = await get((await servers.sending('HTTP/1.0 200 OK\r\n\r\nold')).url);
    expect(result).toMatchObject({ kind: 'response', status: 200, headers: {} });
    expect(textOf(result)).toBe('old');
  });

  it('an answer may be chunked, and follow interim answers', async () => {
    const site = await servers.sending(
      'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n' +
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
    );
    expect(textOf(await get(site.url))).toBe('abcde');
  });

  it('an answer ends at its declared length', async () => {
    const site = await servers.sending('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdefgh');
    expect(textOf(await get(site.url))).toBe('abc');
  });
});

describe('a compressed body', () => {
  const text = 'text '.repeat(1000);
  const packed = (coding: string, body: Uint8Array) =>
    servers.http((_, response) => response.writeHead(200, { 'Content-Encoding': coding }).end(body));

  it.each([
    ['X-GZip', zlib.gzipSync(text)],
    ['deflate without the zlib format', zlib.deflateRawSync(text)],
    ['identity', Buffer.from(text)],
    ['UTF-8', Buffer.from(text)],
  ])('in %s is unpacked', async (coding, body) => {
    expect(textOf(await get((await packed(coding.split(' ')[0] ?? '', body)).url))).toBe(text);
  });

  it.each([
    ['compress', Buffer.from(text)],
    ['gzip, gzip, gzip', zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(text)))],
  ])('in %s is not supported', async (coding, body) => {
    expect(await get((await packed(coding, body)).url)).toMatchObject({ kind: 'failure', reason: 'bad_content' });
  });
});

describe('a failing connection', () => {
  it.each([
    [
      'closed within a chunk',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc'),
    ],
    ['closed within the headers', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
  ])('may be %s, and the request is not repeated', async (_, behave) => {
    const site = await servers.tcp((socket, request) => {
      if (request > 1) behave(socket);
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const from = fetcher();
    expect(textOf(await get(site.url, {}, from))).toBe('ok');
    expect(await get(site.url, {}, from)).toMatchObject({ kind: 'failure', reason: 'connection' });
    expect(site.requests).toBe(2);
  });

  it.each([
    ['with its headers', 'Upgrade: x\r\nConnection: upgrade\r\n'],
    ['without them', ''],
  ])('that switches protocols %s is bad content, and the request is not repeated', async (_, headers) => {
    const site = await rawServer({
      '/ok': (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
      '/100': (socket) => void socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'),
      '/': (socket) => void socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`),
    });
    const from = fetcher();
    for (const path of ['/', '/ok', '/', '/100', '/']) {
      const result = await get(site.origin + path, { timeoutMs: 500 }, from);
      if (path === '/') expect(result).toMatchObject({ kind: 'failure', reason: 'bad_content' });
    }
    expect(site.requests.filter(({ path }) => path === '/')).toHaveLength(3);
    await site.close();
  });

  it('a failing connection has the error code of the system in its detail', async () => {
    expect(await get('http://127.0.0.1:1/')).toMatchObject({ detail: expect.stringContaining('ECONNREFUSED') });
  });

  it('a failing connection is replaced, and the request repeated, if it has served before', async () => {
    const site = await servers.tcp((socket, request) => {
      if (request > 1) socket.end();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const from = fetcher({ connectionsPerHost: 1 });
    for (let round = 0; round < 3; round += 1) expect(textOf(await get(site.url, {}, from))).toBe('ok');
    expect(site.connections).toBe(3);
  });

  it.each([
    ['is not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['has too many headers', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(10_000)}\r\n`],
    ['has a line that is no header', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'],
  ])('whose answer %s is bad content', async (_, answer) => {
    expect(await get((await servers.sending(answer)).url)).toMatchObject({ kind: 'failure', reason: 'bad_content' });
  });
});

describe('connections', () => {
  it('connections are reused', async () => {
    const site = await servers.http((_, response) => response.end('a'));
    const from = fetcher({ connectionsPerHost: 5 });
    for (let round = 0; round < 10; round += 1) await get(`${site.url}/${round}`, {}, from);
    expect([site.connections, site.requests]).toEqual([1, 10]);
  });

  it('connections do not exceed the limit', async () => {
    let most = 0;
    const site = await servers.http((_, response) => {
      most = Math.max(most, site.open);
      setTimeout(() => response.end('a'), 5);
    });
    const from = fetcher({ connectionsPerHost: 3 });
    const results = await Promise.all(Array.from({ length: 30 }, (_, i) => get(`${site.url}/${i}`, {}, from)));
    expect(results.every((result) => result.kind === 'response')).toBe(true);
    expect([most, site.connections]).toEqual([3, 3]);
  });

  it('a request waits for a connection within its deadline', async () => {
    const site = await servers.tcp(() => undefined);
    const from = fetcher({ connectionsPerHost: 1 });
    const first = get(site.url, { timeoutMs: 1000 }, from);
    const second = get(site.url, { timeoutMs: 100 }, from);
    expect(await Promise.race([first.then(() => 'first'), second.then(() => 'second')])).toBe('second');
    expect(await second).toMatchObject({ reason: 'timeout' });
    expect(await first).toMatchObject({ reason: 'timeout' });
    expect(site.requests).toBe(1);
  });
});

describe('a name whose addresses change', () => {
  it('a name whose addresses change is looked up again by the socket, so a private address is not reached after the check', async () => {
    const site = await servers.http((_, response) => response.end('in'));
    const url = `http://rebound.example:${site.port}/`;
    const resolve = resolver(['93.184.215.14'], ['127.0.0.1']);
    const resolveAll = (hostname: string) =>
      new Promise<readonly string[]>((done) =>
        resolve(hostname, { all: true }, (_, addresses) => done(addresses.map(({ address }) => address))),
      );
    expect(await addressCheck({ allowHosts: [], timeoutMs: 100, resolve: resolveAll })(url)).toBe('crawlable');
    expect(await get(url, {}, fetcher({ allowHosts: [], resolve }))).toMatchObject({ reason: 'private_address' });
    expect(site.connections).toBe(0);
  });
});
