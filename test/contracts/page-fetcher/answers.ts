import type { Socket } from 'node:net';
import zlib from 'node:zlib';
import { expect, it } from '@jest/globals';
import { LOOPBACK, type Setup, TEXT, textOf } from './setup.ts';

export function requests({ servers, make, get }: Setup): void {
  const echo = () => servers.http((request, response) => response.end(JSON.stringify([request.url, request.headers])));

  it('a request sends the URL as it is but for its fragment', async () => {
    const { url } = await echo();
    const from = make({ allowHosts: LOOPBACK });
    for (const [path, sent] of [
      ['/?#part', '/?'],
      ['/a?b=%7e&c', '/a?b=%7e&c'],
    ] as const) {
      expect(JSON.parse(textOf(await get(url + path, {}, from)))[0]).toBe(sent);
    }
  });

  it('a request sends Accept and the validators', async () => {
    const { url } = await echo();
    const lastModified = 'Tue, 01 Jul 2025 00:00:00 GMT';
    const [, headers] = JSON.parse(textOf(await get(url, { etag: 'W/"1"', lastModified, accept: 'text/html' })));
    expect(headers).toMatchObject({
      accept: 'text/html',
      'if-none-match': 'W/"1"',
      'if-modified-since': lastModified,
    });
  });

  it('a request leaves out validators that no header can carry', async () => {
    const { url } = await echo();
    const [, headers] = JSON.parse(textOf(await get(url, { etag: '"a"\r\nX-Evil: 1', lastModified: '\u2028' })));
    for (const header of ['if-none-match', 'if-modified-since', 'x-evil']) expect(headers).not.toHaveProperty(header);
  });

  it('a request sends no cookie back', async () => {
    const { url } = await servers.http((request, response) => {
      response.setHeader('Set-Cookie', 'a=1').end(String(request.headers.cookie));
    });
    const from = make({ allowHosts: LOOPBACK });
    await get(url, {}, from);
    expect(textOf(await get(url, {}, from))).toBe('undefined');
  });
}

export function answers({ servers, get }: Setup): void {
  it('an answer has status, headers and body', async () => {
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

  it('an answer joins repeated list headers and takes the first of others', async () => {
    const { url } = await servers.sending(
      'HTTP/1.1 301 Moved\r\nLocation: /a\r\nLocation: /b\r\nX-Robots-Tag: noindex\r\nX-Robots-Tag: nofollow\r\n\r\n',
    );
    expect(await get(url)).toMatchObject({ headers: { location: '/a', 'x-robots-tag': 'noindex, nofollow' } });
  });

  it('an answer that redirects is not followed', async () => {
    const server = await servers.http((_, response) => response.writeHead(302, { Location: '/next' }).end());
    expect(await get(server.url)).toMatchObject({ kind: 'response', status: 302, headers: { location: '/next' } });
    expect(server.requests).toBe(1);
  });

  it('an answer of 304 has no body', async () => {
    const { url } = await servers.http((_, response) => response.writeHead(304, { etag: '"1"' }).end());
    expect(await get(url, { etag: '"1"' })).toMatchObject({
      status: 304,
      headers: { etag: '"1"' },
      body: new Uint8Array(),
    });
  });

  it('an answer may come from an IPv6 address', async () => {
    const { url } = await servers.http((_, response) => response.end('six'), '::1');
    expect(textOf(await get(url))).toBe('six');
  });

  const start = 'HTTP/1.1 404 Not Found\r\n';
  it.each([
    ['never ends', (socket: Socket) => socket.write(`${start}\r\n`.padEnd(200_000))],
    ['does not come', (socket: Socket) => socket.write(`${start}Content-Length: 10\r\n\r\n`)],
    ['is incomplete', (socket: Socket) => socket.end(`${start}Content-Length: 10\r\n\r\nabc`)],
    ['is broken', (socket: Socket) => socket.end(`${start}Content-Encoding: gzip\r\n\r\nabc`)],
  ])('an answer other than 2xx has an empty body, although the sent one %s', async (_, behave) => {
    const { url } = await servers.tcp(behave);
    expect(await get(url, { timeoutMs: 300 })).toMatchObject({
      kind: 'response',
      status: 404,
      body: new Uint8Array(),
    });
  });
}

export function packedBodies({ servers, get }: Setup): void {
  const packed = (coding: string, body: Uint8Array) =>
    servers.http((_, response) => response.writeHead(200, { 'Content-Encoding': coding }).end(body));

  it.each([
    ['gzip', zlib.gzipSync(TEXT)],
    ['deflate', zlib.deflateSync(TEXT)],
    ['br', zlib.brotliCompressSync(TEXT)],
    ['zstd', zlib.zstdCompressSync(TEXT)],
    ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(TEXT))],
  ])('a packed body in %s is unpacked', async (coding, body) => {
    expect(textOf(await get((await packed(coding, body)).url))).toBe(TEXT);
  });

  it('a compressed body may be empty', async () => {
    const { url } = await packed('gzip', Buffer.alloc(0));
    expect(await get(url)).toMatchObject({ status: 200, body: new Uint8Array() });
  });

  it.each([
    ['gzip', Buffer.from(TEXT)],
    ['gzip', zlib.gzipSync(TEXT).subarray(0, 40)],
    ['br', Buffer.from(TEXT)],
    ['zstd', zlib.zstdCompressSync(TEXT).subarray(0, 10)],
  ])('a packed body in %s that cannot be unpacked is bad content', async (coding, body) => {
    expect(await get((await packed(coding, body)).url)).toMatchObject({ kind: 'failure', reason: 'bad_content' });
  });

  const zeros = Buffer.alloc(20_000_000);
  it.each([
    ['gzip', zlib.gzipSync(zeros)],
    ['deflate', zlib.deflateSync(zeros)],
    ['br', zlib.brotliCompressSync(zeros, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['zstd', zlib.zstdCompressSync(zeros)],
    ['gzip, gzip', zlib.gzipSync(zlib.gzipSync(zeros))],
  ])('a packed body in %s that unpacks beyond the limit is too large', async (coding, body) => {
    expect(body.length).toBeLessThan(100_000);
    expect(await get((await packed(coding, body)).url)).toMatchObject({ kind: 'failure', reason: 'too_large' });
  });
}
