import type { Socket } from 'node:net';
import zlib from 'node:zlib';
import { expect, it } from '@jest/globals';
import type { FetchRequest } from '../../../lambdas/domain/ports/page-fetcher.ts';
import { allClosed, LOOPBACK, type Setup, textOf } from './setup.ts';

export function sizeLimit({ servers, get }: Setup): void {
  it('the size limit includes its last byte', async () => {
    const { url } = await servers.http((request, response) => response.end('a'.repeat(Number(request.url?.slice(1)))));
    expect(await get(`${url}/1000`, { maxBytes: 1000 })).toMatchObject({ kind: 'response' });
    expect(await get(`${url}/1001`, { maxBytes: 1000 })).toMatchObject({ kind: 'failure', reason: 'too_large' });
  });

  it('another size limit and deadline may hold for a media type', async () => {
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

  it('the size limit cuts the body where the request asks for that', async () => {
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

  it('the size limit ends an endless body, and its connection', async () => {
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

  it('the size limit is applied at once to a body that announces more', async () => {
    const server = await servers.tcp((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\na'));
    expect(await get(server.url)).toMatchObject({ kind: 'failure', reason: 'too_large' });
    await allClosed(server);
  });
}

export function streams({ servers, make }: Setup): void {
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
  ])('a stream passes on a body that is %s', async (_, headers, body) => {
    const { url } = await servers.http((__, response) => {
      response.writeHead(200, headers).write(body.subarray(0, 1));
      response.end(body.subarray(1));
    });
    const { result, ...rest } = await streamed(url);
    expect(result).toMatchObject({ kind: 'response', status: 200, body: new Uint8Array() });
    expect(rest.text).toBe(text);
    expect(rest.parts).toBeGreaterThan(1);
  });

  it('a stream ends when `take` returns false, and the connection with it', async () => {
    const server = await servers.tcp((socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${text}`));
    const { result, parts } = await streamed(server.url, {}, 1);
    expect([result.kind, parts]).toEqual(['response', 1]);
    await allClosed(server);
  });

  it('a stream passes on what comes before the limit and before a failure', async () => {
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

  it('a stream has no parts for an answer other than 2xx', async () => {
    const { url } = await servers.http((_, response) => response.writeHead(404).end(text));
    expect(await streamed(url)).toMatchObject({ result: { status: 404 }, parts: 0 });
  });

  it('a stream of a body that unpacks beyond the limit stays small', async () => {
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

export function deadline({ servers, get }: Setup): void {
  const drip = (socket: Socket, start: string) => {
    socket.write(start);
    const timer = setInterval(() => socket.write('a'), 20);
    socket.on('close', () => clearInterval(timer));
  };

  it.each([
    ['a silent server', () => undefined],
    ['slow headers', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Slow: ')],
    ['a slow body', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\n\r\n')],
  ])('the deadline ends the wait for %s, and the connection', async (_, behave) => {
    const server = await servers.tcp(behave);
    const start = performance.now();
    expect(await get(server.url, { timeoutMs: 200 })).toMatchObject({ kind: 'failure', reason: 'timeout' });
    expect(performance.now() - start).toBeLessThan(1500);
    await allClosed(server);
  });

  it('the deadline ends endless interim answers', async () => {
    const server = await servers.tcp((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'.repeat(100)), 5);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await get(server.url, { timeoutMs: 200 })).toMatchObject({ kind: 'failure', reason: 'timeout' });
    await allClosed(server);
  });
}
