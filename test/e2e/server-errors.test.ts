import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ErrorBody } from '../../lambdas/runtime/error-bodies.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';

type RawAnswer = { readonly status: number; readonly headers: Headers; readonly body: string };

const UUID = /^[0-9a-f-]{36}$/;

describe('the server on a laptop', () => {
  let service: LocalService;
  let port: number;
  let host: string;

  beforeAll(async () => {
    service = await LocalService.start();
    host = new URL(service.ready.baseUrl).host;
    port = Number(new URL(service.ready.baseUrl).port);
  });
  afterAll(() => service.end());

  /** Sends bytes, and reads the answer until the server closes the connection. */
  async function send(text: string): Promise<RawAnswer> {
    const socket = connect(port, '127.0.0.1');
    socket.write(text);
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
    });
    await once(socket, 'close');
    const [head = '', body = ''] = received.split('\r\n\r\n');
    const [first = '', ...lines] = head.split('\r\n');
    const headers = lines.map((line) => line.split(': ', 2) as [string, string]);
    return { status: Number(first.split(' ')[1]), headers: new Headers(headers), body };
  }
  const request = (line: string, ...headers: readonly string[]): string =>
    [`${line} HTTP/1.1`, 'Connection: close', ...headers, '', ''].join('\r\n');

  it.each<[string, () => string, number, string]>([
    ['a foreign host name', () => request('GET /', 'Host: evil.example'), 421, 'wrong_host'],
    ['no host', () => request('GET /api/sites'), 400, 'invalid_request'],
    ['no HTTP', () => 'hello\r\n\r\n', 400, 'invalid_request'],
    ['TLS', () => '\x16\x03\x01\x02\x00\x01\x00', 400, 'invalid_request'],
    ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'invalid_request'],
    ['an unknown method', () => request('BREW /api/sites', `Host: ${host}`), 400, 'invalid_request'],
    [
      'a header of 20 kB',
      () => request('GET /', `Host: ${host}`, `X-Long: ${'x'.repeat(20_000)}`),
      431,
      'headers_too_large',
    ],
    ['a URL of 20 kB', () => request(`GET /v1/${'x'.repeat(20_000)}`, `Host: ${host}`), 431, 'headers_too_large'],
    ['a broken length', () => request('POST /api/sites', `Host: ${host}`, 'Content-Length: x'), 400, 'invalid_request'],
    [
      'a broken chunk',
      () => `${request('POST /api/sites', `Host: ${host}`, 'Transfer-Encoding: chunked')}x\r\n`,
      400,
      'invalid_request',
    ],
    ['CONNECT', () => request('CONNECT example.com:443', `Host: ${host}`), 405, 'method_not_allowed'],
    ['a page by POST', () => request('POST /docs', `Host: ${host}`), 405, 'method_not_allowed'],
    ['an unknown expectation', () => request('GET /nowhere', `Host: ${host}`, 'Expect: x'), 404, 'not_found'],
    ['an address that is none', () => request('GET http://[/', `Host: ${host}`), 404, 'not_found'],
    ['an unknown page', () => request('GET /nowhere', `Host: ${host}`), 404, 'not_found'],
    ['an unknown file', () => request('GET /search/..%2f..%2fpackage.json', `Host: ${host}`), 404, 'not_found'],
    ['an unknown path of the API', () => request('GET /api/nowhere', `Host: ${host}`), 404, 'not_found'],
  ])('answers %s like any other error', async (_, text, status, code) => {
    const answer = await send(text());
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json; charset=utf-8']);
    expect(ErrorBody.strict().parse(JSON.parse(answer.body))).toMatchObject({ code });
    expect(answer.headers.get('x-request-id')).toMatch(UUID);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
      Number(answer.headers.get(`x-ratelimit-${name}`) ?? Number.NaN),
    );
    expect(remaining).toBeLessThan(limit ?? 0);
    expect(reset).toBeGreaterThan(Date.now() / 1000 - 60);
  });

  it('checks the key before the size of a body', async () => {
    const body = 'x'.repeat(5_000_000);
    const post = (headers: Record<string, string>) =>
      fetch(`http://${host}/api/sites`, { method: 'POST', body, headers });
    expect((await post({})).status).toBe(401);
    const Authorization = `Bearer ${service.ready.apiKey}`;
    const tooLarge = await post({ Authorization, 'Content-Type': 'application/json' });
    expect(tooLarge.status).toBe(413);
    expect(tooLarge.headers.get('x-ratelimit-limit')).not.toBeNull();
    expect(await tooLarge.json()).toMatchObject({ code: 'payload_too_large' });
  });

  /** Opens a connection, sends a text, and collects what comes. */
  function connection(text: string) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).write(text);
    const answer = { text: '', hasEnded: false };
    socket.on('data', (bytes) => {
      answer.text += bytes.toString('latin1');
    });
    socket.on('end', () => {
      answer.hasEnded = true;
    });
    return { socket, answer, answered: () => eventually(async () => answer.text.includes('\r\n\r\n'), 10_000) };
  }
  const posted = (path: string, length: number, ...headers: readonly string[]): string =>
    [`POST ${path} HTTP/1.1`, `Host: ${host}`, `Content-Length: ${length}`, ...headers, '', ''].join('\r\n');
  const key = () => `Authorization: Bearer ${service.ready.apiKey}`;

  it('refuses a large body without a key before it is sent, and closes the connection after it', async () => {
    const { socket, answer, answered } = connection(posted('/api/sites', 4_000_000));
    await answered();
    expect(answer.text).toMatch(/^HTTP\/1\.1 401 .*\r\nConnection: close\r\n.*"code":"unauthorized"/s);
    expect(answer.hasEnded).toBe(false);
    for (let part = 0; part < 4; part++) {
      socket.write(Buffer.alloc(1_000_000, 'x'));
      await delay(20);
    }
    await eventually(async () => answer.hasEnded, 10_000);
  });

  it('closes the connection of a refused body that does not come', async () => {
    const { answer, answered } = connection(posted('/api/sites', 4_000_000));
    await answered();
    await eventually(async () => answer.hasEnded, 10_000);
  });

  it('says whether to go on before a client sends its body', async () => {
    const expects = 'Expect: 100-continue';
    const refused = connection(posted('/api/sites', 4_000_000, expects));
    await refused.answered();
    expect(refused.answer.text).toMatch(/^HTTP\/1\.1 401 /);
    const body = JSON.stringify({ name: 'Late', baseUrl: 'https://late.example/' });
    const { socket, answer, answered } = connection(
      posted('/api/sites', body.length, expects, key(), 'Content-Type: application/json'),
    );
    await answered();
    expect(answer.text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    await eventually(async () => answer.text.includes('HTTP/1.1 201'), 10_000);
    for (const each of [socket, refused.socket]) each.destroy();
  });

  it('answers 503 to unfinished bodies for which it has no room, and serves others', async () => {
    const part = Buffer.alloc(1_000_000, ' ');
    const all = Array.from({ length: 250 }, () => {
      const { socket, answer } = connection(posted('/api/sites', 4_300_000, key(), 'Content-Type: application/json'));
      for (let sent = 0; sent < 4; sent++) socket.write(part);
      return { socket, answer };
    });
    const refused = () => all.filter(({ answer }) => answer.text.startsWith('HTTP/1.1 503')).length;
    await eventually(async () => refused() >= 200, 30_000);
    expect(all.filter(({ answer }) => answer.text !== '').length).toBe(refused());
    expect((await service.api('GET', '/sites')).status).toBe(200);
    for (const { socket } of all) socket.destroy();
    const pages = [{ url: '/large', contentType: 'text', content: 'A large page. '.repeat(30_000) }];
    const siteId = await service.createSite('https://large.example/');
    await eventually(
      async () => (await service.api('POST', `/sites/${siteId}/pages`, { pages })).status === 200,
      20_000,
    );
  }, 90_000);

  it('the server still serves after requests that were refused or broke off', async () => {
    expect((await fetch(`http://${host}/`)).status).toBe(200);
    expect((await service.api('GET', '/sites')).status).toBe(200);
  });
});
