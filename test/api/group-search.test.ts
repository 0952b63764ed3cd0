import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const OPEN = { enabled: true, allowedDomains: ['*'] };

type PageParts = {
  readonly path: string;
  readonly text: string;
  readonly metadata?: object;
  readonly tags?: readonly string[];
};

describe('the search of a group', () => {
  let service: TestApi;
  let owner: ApiClient;
  let lamps: string;
  let boats: string;
  let groupId: string;

  beforeAll(async () => {
    service = await openApi({ env: { INGEST_PER_MINUTE: '1000' } });
    owner = service.client(service.ready.apiKey);
    lamps = await site('Lamps', [
      { name: 'price', type: 'number', facet: true },
      { name: 'colour', type: 'string', facet: true },
    ]);
    boats = await site('Boats', [{ name: 'price', type: 'string', facet: true }]);
    await ingest(lamps, [
      {
        path: '/storm',
        text: 'A storm lantern burns oil in any wind.',
        metadata: { price: 15, colour: 'red' },
        tags: ['Lamp'],
      },
      { path: '/paper', text: 'A paper lantern burns a candle.', metadata: { price: '15.0', colour: 'blue' } },
    ]);
    await ingest(boats, [
      { path: '/signal', text: 'A lantern at the mast signals the storm.', metadata: { price: '15' }, tags: ['Boat'] },
      { path: '/oar', text: 'Oars are made of ash.', metadata: { price: 'cheap' } },
    ]);
    groupId = String(
      (await owner('POST', '/api/groups', { body: { name: 'All', siteIds: [lamps, boats], publicAccess: OPEN } })).body
        .groupId,
    );
  });
  afterAll(() => service.end());

  async function site(name: string, metadataSchema: readonly object[]): Promise<string> {
    const { body } = await owner('POST', '/api/sites', {
      body: { name, baseUrl: `https://${name.toLowerCase()}.example/` },
    });
    await owner('PUT', `/api/sites/${body.siteId}`, { body: { metadataSchema } });
    return String(body.siteId);
  }

  const ingest = (siteId: string, pages: readonly PageParts[]): Promise<Answer> =>
    owner('POST', `/api/sites/${siteId}/pages`, {
      body: {
        pages: pages.map(({ path, text, ...more }) => ({
          url: path,
          content: text,
          contentType: 'text',
          title: path.slice(1),
          summary: 'x',
          tags: [],
          ...more,
        })),
      },
    });
  const search = (query: object, id = groupId): Promise<Answer> =>
    service.client()('POST', `/v1/public/groups/${id}/search`, { body: { minScore: 0, ...query } });
  const urls = ({ body }: Answer): readonly string[] => listOf(body.results).map(({ url }) => String(url));

  it('a search of a group names the pages that come closest, each with its site, if no page reaches minScore', async () => {
    const { results } = (await search({ query: 'storm lantern' })).body;
    const closest = listOf(results).filter(({ score }) => Number(score) > 0.1);
    expect(closest).toHaveLength(2);
    const posted = await search({ query: 'storm lantern', minScore: 1 });
    expect(posted.body).toMatchObject({ results: [], totalResults: 0, closest });
    const got = await service.client()('GET', `/v1/public/groups/${groupId}/search?q=storm+lantern&minScore=1`);
    expect({ ...got.body, timingMs: 0 }).toEqual({ ...posted.body, timingMs: 0 });
  });

  it('a search of a group finds the pages of all sites in one ranking, each with its site, by GET and POST', async () => {
    const posted = await search({ query: 'storm lantern', minScore: 0.3 });
    expect(posted.status).toBe(200);
    expect(posted.body).toMatchObject({ groupId, query: 'storm lantern' });
    const results = listOf(posted.body.results);
    expect(results.map(({ siteName }) => siteName)).toEqual(expect.arrayContaining(['Lamps', 'Boats']));
    expect(results[0]).toMatchObject({ url: 'https://lamps.example/storm', siteId: lamps, siteName: 'Lamps' });
    const scores = results.map(({ score }) => Number(score));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const got = await service.client()('GET', `/v1/public/groups/${groupId}/search?q=storm+lantern&limit=10`);
    expect({ ...got.body, timingMs: 0 }).toEqual({ ...posted.body, timingMs: 0 });
    expect(got.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=60');
    expect(posted.headers.get('cache-control')).toBe('private, no-store');
  });

  it('a search of a group returns its results in pages', async () => {
    const all = urls(await search({ query: 'lantern' }));
    const pages = [];
    for (let offset = 0; offset < all.length; offset++)
      pages.push(...urls(await search({ query: 'lantern', limit: 1, offset })));
    expect(pages).toEqual(all);
  });

  it.each([
    [51, 400],
    [50, 200],
    [0, 400],
  ])('takes a limit of %d with %d', async (limit, status) => {
    expect((await search({ query: 'lantern', limit })).status).toBe(status);
  });

  it('a search of a group filters by the type that each site gives a field', async () => {
    expect(urls(await search({ query: 'lantern', filters: { price: 15 } })).toSorted()).toEqual([
      'https://boats.example/signal',
      'https://lamps.example/paper',
      'https://lamps.example/storm',
    ]);
    expect(urls(await search({ query: 'lantern', filters: { price: { gte: 10 } } })).toSorted()).toEqual([
      'https://lamps.example/paper',
      'https://lamps.example/storm',
    ]);
    expect(urls(await search({ query: 'oars', filters: { price: 'cheap' } }))).toEqual(['https://boats.example/oar']);
    expect(urls(await search({ query: 'lantern', filters: { colour: 'red' } }))).toEqual([
      'https://lamps.example/storm',
    ]);
  });

  it('a search of a group filters by site', async () => {
    for (const siteId of [boats, [boats, UNKNOWN]])
      expect(urls(await search({ query: 'lantern', minScore: 0.3, filters: { siteId } }))).toEqual([
        'https://boats.example/signal',
      ]);
    expect(urls(await search({ query: 'lantern', filters: { siteId: UNKNOWN } }))).toEqual([]);
    expect(await search({ query: 'lantern', filters: { siteId: { gte: 1 } } })).toMatchObject({ status: 400 });
  });

  it('a search of a group filters by a field that pages of one site have without a declaration', async () => {
    await ingest(boats, [{ path: '/dinghy', text: 'A lantern in a dinghy.', metadata: { content_type: 'policy' } }]);
    const found = urls(await search({ query: 'lantern', filters: { content_type: 'policy' } }));
    expect(found).toEqual(['https://boats.example/dinghy']);
    await owner('DELETE', `/api/sites/${boats}/pages`, { body: { urls: ['/dinghy'] } });
  });

  it('a search of a group refuses a field that no site has, and a value that no site accepts', async () => {
    const unknown = await search({ query: 'lantern', filters: { weight: 1 } });
    expect(unknown).toMatchObject({ status: 400, body: { code: 'unknown_filter_field' } });
    expect(String(unknown.body.error)).toMatch(/siteId, price, colour/);
    expect(await search({ query: 'lantern', filters: { colour: { gte: 1 } } })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });

  it('a search of a group applies the boosts of each site to its pages', async () => {
    const ranks = async () => urls(await search({ query: 'lantern' }));
    expect((await ranks())[0]).toContain('lamps.example');
    await owner('PUT', `/api/sites/${boats}`, {
      body: {
        tagBoosts: [
          { tag: 'Boat', boost: 50 },
          { tag: 'Lamp', boost: 0.01 },
        ],
      },
    });
    expect((await ranks())[0]).toBe('https://boats.example/signal');
    expect((await ranks()).at(1)).toContain('lamps.example');
    await owner('PUT', `/api/sites/${boats}`, { body: { tagBoosts: [] } });
  });

  it('a search of a group counts the values of a facet over all sites that give the field the same type', async () => {
    const { body } = await search({ query: 'lantern', facets: ['tags', 'price', 'colour'] });
    expect(body.facets).toEqual([
      {
        name: 'tags',
        label: 'Tags',
        type: 'string',
        values: [
          { value: 'Boat', count: 1 },
          { value: 'Lamp', count: 1 },
        ],
      },
      { name: 'price', label: 'price', type: 'number', min: 15, max: 15 },
      {
        name: 'colour',
        label: 'colour',
        type: 'string',
        values: [
          { value: 'blue', count: 1 },
          { value: 'red', count: 1 },
        ],
      },
    ]);
  });

  describe('the access to a group', () => {
    const ask = (id: string, headers: Readonly<Record<string, string>> = {}, who = service.client()): Promise<Answer> =>
      who('GET', `/v1/public/groups/${id}/search?q=lantern`, { headers });
    const groupOf = async (publicAccess: object): Promise<string> =>
      String(
        (await owner('POST', '/api/groups', { body: { name: 'x', siteIds: [lamps], publicAccess } })).body.groupId,
      );

    it('an unknown group answers 404', async () => {
      for (const id of [UNKNOWN, 'x', lamps]) expect(await ask(id)).toMatchObject({ status: 404 });
    });

    it('a closed group answers 403, whatever the sites allow', async () => {
      await owner('PUT', `/api/sites/${lamps}`, { body: { publicAccess: OPEN } });
      for (const publicAccess of [{}, { ...OPEN, enabled: false }, { ...OPEN, searchEnabled: false }])
        expect(await ask(await groupOf(publicAccess))).toMatchObject({
          status: 403,
          body: { code: 'feature_disabled' },
        });
      await owner('PUT', `/api/sites/${lamps}`, { body: { publicAccess: { enabled: false } } });
      expect(await ask(await groupOf(OPEN))).toMatchObject({ status: 200 });
    });

    it('a group admits its allowed origins, and the key of its organisation', async () => {
      const id = await groupOf({ enabled: true, allowedDomains: ['shop.example'] });
      const allowed = await ask(id, { Origin: 'https://shop.example' });
      expect(allowed.status).toBe(200);
      expect(allowed.headers.get('access-control-allow-origin')).toBe('https://shop.example');
      expect(allowed.headers.get('vary')).toBe('Origin');
      const refused = await ask(id, { Origin: 'https://evil.example' });
      expect(refused).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } });
      expect(refused.headers.get('access-control-allow-origin')).toBeNull();
      expect(await ask(id)).toMatchObject({ status: 403 });
      const byKey = await ask(id, {}, owner);
      expect([byKey.status, byKey.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
      const { apiKey } = await service.makeOrganisation('enterprise');
      expect(await ask(id, {}, service.client(apiKey))).toMatchObject({ status: 403 });
    });

    it('a group answers the preflight of an allowed origin only', async () => {
      const id = await groupOf({ enabled: true, allowedDomains: ['shop.example'] });
      const preflight = async (origin: string) =>
        (
          await service.client()('OPTIONS', `/v1/public/groups/${id}/search`, { headers: { Origin: origin } })
        ).headers.get('access-control-allow-origin');
      expect([await preflight('https://shop.example'), await preflight('https://evil.example')]).toEqual([
        'https://shop.example',
        null,
      ]);
    });

    it('a group is closed while the plan does not include groups', async () => {
      const { apiKey, orgId } = await service.makeOrganisation('enterprise');
      const who = service.client(apiKey);
      const { body } = await who('POST', '/api/sites', { body: { name: 'x', baseUrl: 'https://x.example/' } });
      const group = await who('POST', '/api/groups', {
        body: { name: 'x', siteIds: [body.siteId], publicAccess: OPEN },
      });
      const id = String(group.body.groupId);
      expect((await ask(id)).status).toBe(200);
      await service.setPlan(orgId, 'pro');
      expect(await ask(id)).toMatchObject({ status: 403, body: { code: 'feature_disabled' } });
      await service.setPlan(orgId, 'enterprise');
      expect((await ask(id)).status).toBe(200);
    });

    it('a search of a group whose sites were all deleted finds nothing', async () => {
      const gone = await site('Gone', []);
      const { body } = await owner('POST', '/api/groups', { body: { name: 'x', siteIds: [gone], publicAccess: OPEN } });
      await owner('DELETE', `/api/sites/${gone}`);
      expect(await ask(String(body.groupId))).toMatchObject({ status: 200, body: { results: [], totalResults: 0 } });
    });
  });
});
