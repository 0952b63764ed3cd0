import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Answer } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient, Call } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';

const SEARCH = 5;
const CHAT = 3;
const API = 40;
const INGEST = 4;
const TIMERS = [
  ...['nextTick', 'setImmediate', 'setInterval', 'setTimeout', 'queueMicrotask'],
  ...['performance', 'hrtime'], // threads agree on deadlines
] as const;
const UNKNOWN = '01890000-0000-7000-8000-000000000000';

/** A moment within a minute. The clock does not move, so that no minute ends between two calls. */
const NOW = Date.UTC(2026, 0, 1, 12, 0, 20);
jest.useFakeTimers({ now: NOW, doNotFake: [...TIMERS] });

const rateHeaders = ({ headers }: Answer) =>
  ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`x-ratelimit-${name}`);
    return value === null ? Number.NaN : Number(value);
  });

describe('rate limits', () => {
  let service: TestApi;
  let visitor: ApiClient;
  let owner: ApiClient;
  let siteId: string;
  let lastAddress = 0;

  beforeAll(async () => {
    service = await openApi({
      env: {
        SEARCH_PER_MINUTE_PER_IP: String(SEARCH),
        CHAT_PER_MINUTE_PER_IP: String(CHAT),
        API_PER_MINUTE: String(API),
        INGEST_PER_MINUTE: String(INGEST),
      },
    });
    visitor = service.client();
    owner = service.client(service.ready.apiKey);
    siteId = await service.createSite('https://docs.example');
  });
  afterAll(() => service.end());

  const newAddress = (): string => `198.51.100.${++lastAddress}`;
  const search = (call: Call = {}, site = siteId): Promise<Answer> =>
    visitor('GET', `/v1/public/sites/${site}/search?q=x`, call);

  /** The status of each of several calls, one after another. */
  async function statuses(times: number, ask: () => Promise<Answer>): Promise<readonly number[]> {
    const found: number[] = [];
    for (let call = 0; call < times; call++) found.push((await ask()).status);
    return found;
  }
  const admitted = async (times: number, ask: () => Promise<Answer>): Promise<number> =>
    (await statuses(times, ask)).filter((status) => status !== 429).length;

  it('a rate limit stores no address of a visitor', async () => {
    const { table } = await import('#adapters/table');
    const count = jest.spyOn(table, 'count');
    const address = newAddress();
    const [found] = await Promise.all([search({ address }), visitor('GET', '/v1/unknown', { address })]);
    expect(found.status).toBe(200);
    const names = count.mock.calls.map(([{ pk, sk }]) => `${pk} ${sk}`);
    count.mockRestore();
    expect(names.filter((name) => /^RATE#ADDRESS#[0-9a-f]{16} \d+$/.test(name)).length).toBeGreaterThanOrEqual(2);
    expect(names.join()).not.toContain(address);
  });

  it('a call beyond the limit is refused with advice, and with headers for a browser', async () => {
    const address = newAddress();
    const Origin = 'https://shop.example';
    for (let left = SEARCH - 1; left >= 0; left--)
      expect(rateHeaders(await search({ address, headers: { Origin } })).slice(0, 2)).toEqual([SEARCH, left]);
    const refused = await search({ address, headers: { Origin } });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.body.error).toContain('the limit is 5 per minute');
    const retryAfter = Number(refused.body.retryAfter);
    expect(refused.headers.get('retry-after')).toBe(String(retryAfter));
    expect(retryAfter).toBe(40);
    expect(rateHeaders(refused)).toEqual([SEARCH, 0, NOW / 1000 + 40]);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(refused.headers.get('access-control-allow-origin')).toBe(Origin);
    expect(refused.headers.get('access-control-expose-headers')).toMatch(
      /X-RateLimit-Reset, Retry-After, X-Request-Id/,
    );
  });

  it('GET, POST, facets and unknown sites count together, over all sites', async () => {
    const address = newAddress();
    const other = await service.createSite('https://other.example');
    const path = `/v1/public/sites/${siteId}`;
    const calls = [
      () => search({ address }),
      () => search({ address }, other),
      () => visitor('POST', `${path}/search`, { address, body: { query: 'x' } }),
      () => visitor('GET', `${path}/facets`, { address }),
      () => search({ address }, UNKNOWN),
      () => search({ address }, other),
      () => visitor('GET', `${path}/facets`, { address }),
    ];
    let n = 0;
    const found = await statuses(calls.length, () => (calls[n++] ?? search)());
    expect(found).toEqual([200, 200, 200, 200, 404, 429, 429]);
  });

  it('suggestions, events and chats count separately, suggestions with four times the limit', async () => {
    const address = newAddress();
    const path = `/v1/public/sites/${siteId}`;
    expect(await admitted(SEARCH + 2, () => search({ address }))).toBe(SEARCH);
    expect(await admitted(30, () => visitor('GET', `${path}/suggest?q=a`, { address }))).toBe(4 * SEARCH);
    const event = { type: 'click', query: 'x', url: 'https://docs.example/', position: 1 };
    expect(await admitted(9, () => visitor('POST', `${path}/events`, { address, body: event }))).toBe(SEARCH);
    expect(await admitted(9, () => visitor('POST', `${path}/chat`, { address, body: { message: 'x' } }))).toBe(CHAT);
  });

  it('exactly as many of 200 concurrent calls are admitted as the limit allows', async () => {
    const address = newAddress();
    const answers = await Promise.all(Array.from({ length: 200 }, () => search({ address })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(SEARCH);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(200 - SEARCH);
  });

  it('a refused call is admitted at the stated time', async () => {
    const address = newAddress();
    expect(await admitted(9, () => search({ address }))).toBe(SEARCH);
    jest.setSystemTime(NOW + 39_999);
    expect((await search({ address })).status).toBe(429);
    jest.setSystemTime(NOW + 40_000);
    expect((await search({ address })).status).toBe(200);
    const refused = await search({ address });
    expect(refused).toMatchObject({ status: 429, body: { retryAfter: 24 } });
    jest.setSystemTime(NOW + 64_000);
    expect((await search({ address })).status).toBe(200);
    jest.setSystemTime(NOW);
  });

  it('each of many addresses counts separately', async () => {
    const addresses = Array.from({ length: 50 }, newAddress);
    const counts = await Promise.all(addresses.map((address) => admitted(SEARCH + 1, () => search({ address }))));
    expect(new Set(counts)).toEqual(new Set([SEARCH]));
  });

  it('an IPv6 network of 64 bits counts as one address', async () => {
    let host = 0;
    const from = (network: string) => () => search({ address: `${network}::${++host}` });
    expect(await admitted(9, from('2001:db8:0:1'))).toBe(SEARCH);
    expect(await admitted(9, from('2001:db8:0:2'))).toBe(SEARCH);
  });

  it('headers in which a client states an address are ignored', async () => {
    const address = newAddress();
    let n = 0;
    const forged = () => {
      const other = `203.0.113.${++n}`;
      const headers = {
        'X-Forwarded-For': other,
        Forwarded: `for=${other}`,
        'X-Real-IP': other,
        'X-Client-IP': other,
        'CF-Connecting-IP': other,
        'True-Client-IP': other,
        'CloudFront-Viewer-Address': `${other}:443`,
        'X-API-Key': 'guessed',
      };
      return search({ address, headers });
    };
    expect(await admitted(20, forged)).toBe(SEARCH);
  });

  describe('rate limits of a site', () => {
    const siteWith = async (rateLimits: object): Promise<string> => {
      const id = await service.createSite('https://own.example');
      await owner('PUT', `/api/sites/${id}`, { body: { rateLimits } });
      return id;
    };

    it('the limit of a site holds for all addresses together, and a call that it refuses does not count against the address', async () => {
      const own = await siteWith({ searchPerMinute: 3 });
      const [first, second] = [newAddress(), newAddress()];
      expect(await statuses(2, () => search({ address: first }, own))).toEqual([200, 200]);
      expect(rateHeaders(await search({ address: second }, own)).slice(0, 2)).toEqual([3, 0]);
      expect(await statuses(20, () => search({ address: second }, own))).toEqual(Array(20).fill(429));
      expect(await admitted(9, () => search({ address: second }))).toBe(SEARCH - 1);
    });

    it('the limit of a site for one address replaces the default, in both directions', async () => {
      const [wide, narrow] = [await siteWith({ perIpPerMinute: 8 }), await siteWith({ perIpPerMinute: 2 })];
      const address = newAddress();
      expect(await admitted(20, () => search({ address }, wide))).toBe(8);
      expect(await admitted(20, () => search({ address }, narrow))).toBe(2);
      expect(await admitted(20, () => search({ address }))).toBeGreaterThanOrEqual(SEARCH - 2);
    });

    it('the limit of a site for one address does not raise the limit of chats', async () => {
      const wide = await siteWith({ perIpPerMinute: 50 });
      const address = newAddress();
      const chat = () => visitor('POST', `/v1/public/sites/${wide}/chat`, { address, body: { message: 'x' } });
      expect(await admitted(20, chat)).toBe(CHAT);
    });

    it('rate limits of a site hold for a group too', async () => {
      const body = {
        name: 'Both',
        siteIds: [siteId],
        publicAccess: { enabled: true, allowedDomains: ['*'] },
      };
      const { groupId } = (await owner('POST', '/api/groups', { body })).body;
      await owner('PUT', `/api/groups/${groupId}`, { body: { rateLimits: { searchPerMinute: 2 } } });
      const ask = () => visitor('GET', `/v1/public/groups/${groupId}/search?q=x`, { address: newAddress() });
      expect(await admitted(6, ask)).toBe(2);
    });
  });

  describe('rate limits of a key', () => {
    it('each key has a separate limit, whatever the address', async () => {
      const [one, other] = [service.client(await service.makeKey('member')), await service.makeKey('member')];
      expect(await admitted(API + 5, () => one('GET', '/api/sites', { address: newAddress() }))).toBe(API);
      expect((await service.client(other)('GET', '/api/sites')).status).toBe(200);
    });

    it('an ingestion counts twice, and its answer shows the tighter limit', async () => {
      const key = service.client(await service.makeKey('member'));
      const ingest = () =>
        key('POST', `/api/sites/${siteId}/pages`, {
          body: { pages: [{ url: '/a', content: 'b', contentType: 'text' }] },
        });
      expect(rateHeaders(await ingest()).slice(0, 2)).toEqual([INGEST, INGEST - 1]);
      expect(await admitted(9, ingest)).toBe(INGEST - 1);
      expect(rateHeaders(await key('GET', '/api/sites')).slice(0, 2)).toEqual([API, API - INGEST - 1]);
    });

    it('the limit of a key is not used up by others who know its id', async () => {
      const valid = await service.makeKey('member');
      const forged = service.client(`${valid.slice(0, 42)}${'x'.repeat(40)}`);
      const address = newAddress();
      expect(await statuses(API + 1, () => forged('GET', '/api/sites', { address }))).toEqual([
        ...Array(API).fill(401),
        429,
      ]);
      expect(rateHeaders(await service.client(valid)('GET', '/api/sites')).slice(0, 2)).toEqual([API, API - 1]);
    });

    it('a call without a key or route counts against its address', async () => {
      const address = newAddress();
      const calls = [
        () => visitor('GET', '/api/sites', { address }),
        () => visitor('GET', '/api/nowhere', { address }),
        () => visitor('PATCH', '/api/sites', { address }),
        () => visitor('OPTIONS', '/api/sites', { address }),
        () => visitor('GET', '/v1/nowhere', { address }),
      ];
      let n = 0;
      expect(await admitted(API + 5, () => (calls[n++ % calls.length] ?? search)())).toBe(API);
    });
  });

  it('every answer, errors included, has the headers of the limits and an id', async () => {
    const path = `/v1/public/sites/${siteId}`;
    const closed = await service.createSite('https://closed.example');
    await owner('PUT', `/api/sites/${closed}`, { body: { publicAccess: { enabled: false } } });
    const answers: readonly (readonly [number, Answer])[] = [
      [200, await search({ address: newAddress() })],
      [204, await owner('OPTIONS', `${path}/search`)],
      [400, await visitor('GET', `${path}/search`, { address: newAddress() })],
      [400, await owner('POST', '/api/sites', { body: '{' })],
      [401, await visitor('GET', '/api/sites', { address: newAddress() })],
      [403, await search({ address: newAddress() }, closed)],
      [404, await search({ address: newAddress() }, UNKNOWN)],
      [404, await owner('GET', `/api/sites/${UNKNOWN}`)],
      [404, await owner('GET', '/nowhere')],
      [405, await owner('PATCH', '/api/sites')],
      [415, await owner('POST', '/api/sites', { body: 'x', headers: { 'Content-Type': 'text/plain' } })],
    ];
    const ids = new Set<string | null>();
    for (const [status, answer] of answers) {
      expect(answer.status).toBe(status);
      const [limit = 0, remaining = 0, reset = 0] = rateHeaders(answer);
      expect(limit).toBeGreaterThan(0);
      expect(remaining).toBeLessThan(limit);
      expect(remaining).toBeGreaterThanOrEqual(0);
      expect(reset).toBeGreaterThan(Date.now() / 1000 - 1);
      ids.add(answer.headers.get('x-request-id'));
    }
    expect(ids.has(null)).toBe(false);
    expect(ids.size).toBe(answers.length);
  });
});
