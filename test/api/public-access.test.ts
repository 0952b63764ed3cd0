import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const SHARED = 'public, max-age=0, s-maxage=60';
const DOMAINS = [
  'shop.example',
  '*.example.org',
  'https://only.example:8443',
  'http://plain.example',
  'bücher.example',
];

type Headers = Readonly<Record<string, string>>;

describe('public access to a site', () => {
  let service: TestApi;
  let visitor: ApiClient;
  let owner: ApiClient;
  let siteId: string;
  let path: string;

  beforeAll(async () => {
    service = await openApi();
    visitor = service.client();
    owner = service.client(service.ready.apiKey);
    siteId = await service.createSite('https://docs.example');
    path = `/v1/public/sites/${siteId}/search`;
    await set({ allowedDomains: DOMAINS });
  });
  afterAll(() => service.end());

  const set = (publicAccess: object): Promise<Answer> =>
    owner('PUT', `/api/sites/${siteId}`, { body: { publicAccess } });
  const ask = (headers: Headers = {}, by: ApiClient = visitor): Promise<Answer> =>
    by('GET', `${path}?q=x`, { headers });

  it('public access depends on the origin of the request, even if a request imitates the CDN', async () => {
    const refused = await ask({ 'x-effective-origin': 'https://shop.example', Origin: 'https://other.example' });
    expect(refused.status).toBe(403);
    const allowed = await ask({ 'x-effective-origin': 'https://other.example', Origin: 'https://shop.example' });
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://shop.example');
  });

  it.each([
    'https://shop.example',
    'http://shop.example',
    'https://shop.example:8080',
    'https://a.example.org',
    'https://a.b.example.org:444',
    'https://only.example:8443',
    'http://plain.example',
    'http://plain.example:8080',
    'https://xn--bcher-kva.example',
  ])('is allowed from %s, which the CORS header names', async (Origin) => {
    const { status, headers } = await ask({ Origin });
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe(Origin);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining');
    expect(headers.get('vary')).toBe('Origin');
    expect(headers.get('cache-control')).toBe(SHARED);
  });

  it.each([
    'https://example.org',
    'https://evilexample.org',
    'https://example.org.evil.example',
    'https://www.shop.example',
    'https://evilshop.example',
    'https://shop.example.evil.example',
    'https://only.example',
    'http://only.example:8443',
    'https://only.example:443',
    'https://plain.example',
    'null',
    'shop.example',
    'https://shop.example@evil.example',
    'file://',
    '*',
  ])('is refused from %s, without a CORS header', async (Origin) => {
    const { status, body, headers } = await ask({ Origin });
    expect([status, body.code]).toEqual([403, 'origin_not_allowed']);
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('vary')).toBe('Origin');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('public access depends on the Referer only without an Origin', async () => {
    expect((await ask({ Referer: 'https://shop.example/page?x=1' })).status).toBe(200);
    expect((await ask({ Origin: '', Referer: 'https://a.example.org/' })).status).toBe(200);
    for (const headers of [
      {},
      { Referer: 'https://evil.example/?https://shop.example' },
      { Referer: 'shop.example' },
      { Origin: 'https://evil.example', Referer: 'https://shop.example/' },
      { Origin: 'null', Referer: 'https://shop.example/' },
    ])
      expect([headers, (await ask(headers)).status]).toEqual([headers, 403]);
    const byReferer = await ask({ Origin: '', Referer: 'https://shop.example/' });
    expect(byReferer.headers.get('access-control-allow-origin')).toBeNull();
    // A cache before the server does not tell callers apart by their Referer.
    expect(byReferer.headers.get('cache-control')).toBe('private, no-store');
  });

  it('public access is allowed from any origin with a key of the organisation, and not cached', async () => {
    const member = service.client(await service.makeKey('member'));
    for (const headers of [{}, { Origin: 'https://evil.example' }] as readonly Headers[]) {
      const answer = await ask(headers, member);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    const allowed = await ask({ Origin: 'https://shop.example' }, member);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(allowed.headers.get('cache-control')).toBe('private, no-store');
  });

  it('public access treats the keys of other organisations, revoked and malformed keys like no key', async () => {
    const { apiKey } = await service.makeOrganisation('enterprise');
    const revoked = await service.makeKey('owner');
    await service.revokeKey(revoked);
    for (const key of [apiKey, revoked, 'nonsense']) {
      expect((await ask({}, service.client(key))).status).toBe(403);
      const allowed = await ask({ Origin: 'https://shop.example' }, service.client(key));
      expect([allowed.status, allowed.headers.get('cache-control')]).toEqual([200, SHARED]);
    }
  });

  it('public access is the same for POST, which is never cached', async () => {
    const post = (Origin: string) => visitor('POST', path, { headers: { Origin }, body: { query: 'x' } });
    const { status, headers } = await post('https://shop.example');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toMatch(/no-store/);
    expect(headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect((await post('https://evil.example')).status).toBe(403);
  });

  it('errors have CORS headers, so that scripts of allowed origins can read them', async () => {
    const { status, headers } = await visitor('GET', `${path}?q=`, { headers: { Origin: 'https://shop.example' } });
    expect(status).toBe(400);
    expect(headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('a request from another origin learns no input fault', async () => {
    const { status, body } = await visitor('GET', `${path}?limit=abc`, { headers: { Origin: 'https://evil.example' } });
    expect([status, body.issues]).toEqual([403, undefined]);
  });

  it('public access to an unknown or malformed id is not found', async () => {
    for (const id of [UNKNOWN, 'x', '%00', `${siteId}0`]) {
      const answer = await owner('GET', `/v1/public/sites/${id}/search?q=x`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it.each([
    ['https://shop.example', 'https://shop.example'],
    ['https://evil.example', null],
    ['null', null],
    ['', null],
  ])('answers the preflight of "%s"', async (Origin, allowed) => {
    const { status, headers } = await visitor('OPTIONS', path, {
      headers: { Origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' },
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(allowed);
    expect(headers.get('access-control-allow-methods')).toBe(allowed && 'GET, POST');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    if (allowed) expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type');
    expect(headers.get('vary')).toBe('Origin');
  });

  it('public access is allowed from everywhere with `*`, also without an origin', async () => {
    await set({ allowedDomains: ['other.example', '*'] });
    for (const Origin of ['https://any.example', 'null']) {
      const { status, headers } = await ask({ Origin });
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, Origin]);
    }
    const { status, headers } = await ask();
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null]);
    expect((await ask({ Origin: '' })).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('public access is refused to all while search is off, to those without a key while public access is off, and to visitors while no domain is allowed', async () => {
    const key = service.client(service.ready.apiKey);
    const off = { status: 403, body: { code: 'feature_disabled' } };
    await set({ allowedDomains: ['*'], searchEnabled: false });
    expect(await ask()).toMatchObject(off);
    expect(await ask({}, key)).toMatchObject(off);
    await set({ searchEnabled: true, enabled: false });
    expect(await ask()).toMatchObject(off);
    for (const tail of ['search?q=x', 'facets', 'suggest?q=x']) {
      const answer = await key('GET', path.replace('search', tail));
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
      expect((await visitor('GET', path.replace('search', tail))).status).toBe(403);
    }
    const chat = await key('POST', path.replace('search', 'chat'), { body: { message: 'x' } });
    expect([chat.status, chat.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    await set({ enabled: true, allowedDomains: [] });
    expect(await ask({ Origin: 'https://shop.example' })).toMatchObject({
      status: 403,
      body: { code: 'origin_not_allowed' },
    });
    expect((await ask({}, key)).status).toBe(200);
  });
});
