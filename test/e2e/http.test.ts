import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/answer.ts';
import type { ApiClient } from '../support/api-client.ts';
import { LocalService } from '../support/local-service.ts';

const JSON_TEXT = JSON.stringify({ name: 'Docs', baseUrl: 'https://docs.example' });
const MOST = 4_400_000;
const padded = (length: number): string => JSON_TEXT.padEnd(length);

let service: LocalService;
let call: ApiClient;

beforeAll(async () => {
  service = await LocalService.start();
  call = service.client(service.ready.apiKey);
});
afterAll(() => service.end());

describe('the body of a request', () => {
  const create = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    call('POST', '/api/sites', { body, headers });
  const gzipped = (body: Uint8Array): Promise<Answer> => create(body, { 'Content-Encoding': 'gzip' });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/merge-patch+json',
    'application/vnd.example.v1+json;charset=utf-8',
  ])('is read as %s', async (type) => expect((await create(JSON_TEXT, { 'Content-Type': type })).status).toBe(201));

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'text/json, application/json',
    'x',
  ])('is refused as %s', async (type) => {
    const answer = await create(JSON_TEXT, { 'Content-Type': type });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  it('the body of a request is read without a Content-Type', async () => {
    const response = await fetch(`${service.ready.baseUrl}/sites`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.ready.apiKey}` },
      body: Buffer.from(JSON_TEXT),
    });
    expect(response.status).toBe(201);
    await response.body?.cancel();
  });

  it.each([
    ['cut off', JSON_TEXT.slice(0, -1)],
    ['followed by more', `${JSON_TEXT}{}`],
    ['blank', '  '],
    ['no JSON', 'name=Docs'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['UTF-16', Buffer.from(JSON_TEXT, 'utf16le')],
  ])('that is %s is refused as invalid JSON', async (_, body) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
  });

  it.each(['null', '1', '"text"', '[]', 'true'])('%s is JSON but not a site', async (body) => {
    const answer = await create(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', issues: [{ path: 'body' }] } });
  });

  it('the body of a request is refused if its JSON is nested 100,000 deep', async () => {
    const answer = await create(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(answer.status).toBe(400);
  });

  it('the body of a request cannot set a prototype', async () => {
    const { status, body } = await create(JSON_TEXT.replace('{', '{"__proto__":{"domain":"evil.example"},'));
    expect([status, body.issues]).toMatchObject([400, [{ path: 'body.__proto__' }]]);
  });

  it('the body of a request may be compressed with gzip', async () => {
    expect((await gzipped(gzipSync(JSON_TEXT))).status).toBe(201);
    expect((await create(gzipSync(JSON_TEXT), { 'Content-Encoding': 'GZIP' })).status).toBe(201);
    expect((await create(JSON_TEXT, { 'Content-Encoding': 'identity' })).status).toBe(201);
  });

  it.each([
    ['is not gzip', Buffer.from(JSON_TEXT)],
    ['is cut off', gzipSync(JSON_TEXT).subarray(0, -9)],
    ['is damaged', Buffer.from(gzipSync(randomBytes(2000)).map((byte, index) => (index === 900 ? byte ^ 1 : byte)))],
    ['holds no JSON', gzipSync('name=Docs')],
  ])('is refused if its gzip %s', async (_, body) => {
    expect(await gzipped(body)).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
  });

  it.each(['br', 'deflate', 'zstd', 'gzip, gzip'])('is refused with Content-Encoding %s', async (coding) => {
    const answer = await create(gzipSync(gzipSync(JSON_TEXT)), { 'Content-Encoding': coding });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  it('the body of a request may have 4.4 MB, compressed or not', async () => {
    expect((await create(padded(MOST))).status).toBe(201);
    expect((await gzipped(gzipSync(padded(MOST)))).status).toBe(201);
  });

  it.each([
    ['one byte too many', () => create(padded(MOST + 1))],
    ['4.5 MB', () => create(padded(4_500_000))],
    ['30 MB', () => create(Buffer.alloc(30_000_000, 32))],
    ['one byte too many when decompressed', () => gzipped(gzipSync(padded(MOST + 1)))],
    ['100 MB when decompressed', () => gzipped(gzipSync(Buffer.alloc(100_000_000, 32), { level: 1 }))],
  ])('of %s is refused with the limit and a remedy', async (_, send) => {
    const { status, body } = await send();
    expect([status, body.code]).toEqual([413, 'payload_too_large']);
    expect(String(body.error)).toMatch(/4\.4 MB.*smaller batches/);
    expect((await call('GET', '/api/sites')).status).toBe(200);
  });

  it('the body of an ingestion may have 64 MB', async () => {
    const { body: site } = await create(JSON_TEXT);
    const page = { url: '/large', content: 'Lanterns are lit.', contentType: 'text', title: 'Large' };
    const send = (bytes: number) => {
      const text = JSON.stringify({ pages: [page] });
      const body = Buffer.concat([Buffer.from(text), Buffer.alloc(bytes - text.length, 32)]);
      return call('POST', `/api/sites/${site.siteId}/pages`, { body });
    };
    expect(await send(64_000_000)).toMatchObject({ status: 200, body: { processed: 1 } });
    const { status, body } = await send(64_000_001);
    expect([status, body.code]).toEqual([413, 'payload_too_large']);
    expect(String(body.error)).toMatch(/64 MB.*smaller batches/);
  }, 60_000);

  it('the body of a request is not read for a caller without a key', async () => {
    const visitor = service.client();
    for (const body of ['{', gzipSync('x')])
      expect((await visitor('POST', '/api/sites', { body, headers: { 'Content-Type': 'text/plain' } })).status).toBe(
        401,
      );
  });
});

describe('the local server', () => {
  const ORIGIN = 'https://shop.example';
  let path: string;

  beforeAll(async () => {
    path = `/v1/public/sites/${await service.createSite('https://docs.example')}/search`;
  });

  it('answers the preflight of a public path without a body', async () => {
    const { status, headers, body } = await call('OPTIONS', path, {
      headers: { Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' },
    });
    expect([status, body]).toEqual([204, {}]);
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST');
  });

  it('passes query, Referer and key to the endpoint', async () => {
    const visitor = service.client();
    const found = await visitor('GET', `${path}?q=x&limit=3`, { headers: { Referer: `${ORIGIN}/page` } });
    expect(found).toMatchObject({ status: 200, body: { query: 'x', results: [] } });
    expect(found.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=60');
    expect((await call('GET', `${path}?q=x`)).headers.get('cache-control')).toBe('private, no-store');
  });

  it('answers HEAD as GET without a body', async () => {
    for (const url of ['/api/sites', `${path}?q=x`, '/api/sites/none']) {
      const [get, head] = [await call('GET', url), await call('HEAD', url)];
      expect([head.status, head.body]).toEqual([get.status, {}]);
      for (const name of ['content-type', 'cache-control']) expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    const { status, headers, body } = await call('HEAD', `/api/sites/${service.ready.orgId}/crawl`);
    expect([status, headers.get('allow'), body]).toEqual([405, 'POST', {}]);
  });
});

describe('/health', () => {
  const healthFor = async (apiKey?: string): Promise<unknown> => {
    const headers = apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` };
    const response = await fetch(new URL('/health', service.ready.dashboardUrl), { headers });
    expect(response.status).toBe(200);
    return response.json();
  };

  it('/health tells strangers and other organisations only whether the service is ready', async () => {
    const other = await service.makeOrganisation('free');
    for (const apiKey of [undefined, 'ssk_no_key', other.apiKey])
      expect(await healthFor(apiKey)).toEqual({ ready: true });
  });

  it('/health also tells the operator’s organisation the numbers', async () => {
    expect(await healthFor(service.ready.apiKey)).toEqual({
      ready: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      pages: expect.any(Number),
      queue: expect.any(Number),
      disk: { usedBytes: expect.any(Number), freeBytes: expect.any(Number) },
    });
  });
});

describe('pages and files', () => {
  it('pages of the demo are not served without a demo', async () => {
    for (const path of ['/demo', '/demo/', '/demo/readme', '/demo-site.json'])
      expect([path, (await fetch(new URL(path, service.ready.dashboardUrl))).status]).toEqual([path, 404]);
  });

  it('pages count against their address, separately from /health', async () => {
    const strict = await LocalService.start({ env: { API_PER_MINUTE: '2' } });
    try {
      const ask = (path: string): Promise<Response> => fetch(new URL(path, strict.ready.dashboardUrl));
      const statuses = async (path: string, count: number): Promise<readonly number[]> => {
        const answers = await Promise.all(Array.from({ length: count }, () => ask(path)));
        return [...new Set(answers.map(({ status }) => status))].sort();
      };
      expect(await statuses('/', 20)).toEqual([200]);
      const refused = await ask('/docs/openapi.json');
      expect([refused.status, refused.headers.get('x-ratelimit-limit')]).toEqual([429, '20']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await statuses('/health', 2)).toEqual([200]);
      expect(await statuses('/health', 1)).toEqual([429]);
    } finally {
      await strict.end();
    }
  });
});
