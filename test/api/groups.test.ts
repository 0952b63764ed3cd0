import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const ERROR = 'Search Groups require an Enterprise plan';

describe('search groups', () => {
  let service: TestApi;
  let owner: ApiClient;
  let siteIds: readonly string[];

  beforeAll(async () => {
    service = await openApi();
    owner = service.client(service.ready.apiKey);
    siteIds = await Promise.all(['a', 'b', 'c'].map((name) => service.createSite(`https://${name}.example/`)));
  });
  afterAll(() => service.end());

  const create = (body: object, who = owner): Promise<Answer> => who('POST', '/api/groups', { body });
  const created = async (more: object = {}): Promise<string> =>
    String((await create({ name: 'Docs', siteIds, ...more })).body.groupId);
  const get = (id: string, who = owner): Promise<Answer> => who('GET', `/api/groups/${id}`);
  const update = (id: string, body: object, who = owner): Promise<Answer> => who('PUT', `/api/groups/${id}`, { body });
  const remove = (id: string, who = owner): Promise<Answer> => who('DELETE', `/api/groups/${id}`);

  it('a group is created with the defaults of a site, and read and listed as created', async () => {
    const { status, body } = await create({ name: ' Docs ', siteIds: [...siteIds, siteIds[0]] });
    expect(status).toBe(201);
    expect(body).toEqual({
      groupId: expect.any(String),
      name: 'Docs',
      siteIds,
      rateLimits: {},
      createdAt: expect.any(Number),
      publicAccess: {
        enabled: false,
        searchEnabled: true,
        chatEnabled: true,
        allowedDomains: [],
        anonymousSessions: true,
        sessionTTLMinutes: 30,
        mcpEnabled: false,
      },
      mcp: { answer: false },
    });
    expect((await get(String(body.groupId))).body).toEqual(body);
    expect((await owner('GET', '/api/groups')).body.groups).toContainEqual(body);
  });

  it('an update changes single fields of a group, and returns the changed group', async () => {
    const id = await created({
      description: 'All of it',
      publicAccess: { enabled: true, allowedDomains: ['a.example'] },
    });
    const first = await update(id, {
      name: 'New',
      publicAccess: { chatEnabled: false },
      rateLimits: { searchPerMinute: 5 },
    });
    expect(first).toMatchObject({
      status: 200,
      body: {
        name: 'New',
        description: 'All of it',
        siteIds,
        rateLimits: { searchPerMinute: 5 },
        publicAccess: { enabled: true, chatEnabled: false, allowedDomains: ['a.example'] },
      },
    });
    const second = await update(id, {
      description: null,
      siteIds: siteIds.slice(1),
      rateLimits: { searchPerMinute: null },
    });
    expect(second.body).toEqual((await get(id)).body);
    expect(second.body).toMatchObject({ siteIds: siteIds.slice(1), rateLimits: {} });
    expect(second.body).not.toHaveProperty('description');
  });

  it('a group is created with rate limits and public access', async () => {
    const settings = { rateLimits: { searchPerMinute: 5 }, publicAccess: { enabled: true, allowedDomains: ['*'] } };
    expect((await get(await created(settings))).body).toMatchObject(settings);
  });

  it('a group can be read, changed and sent back, but not with an unknown field', async () => {
    const { body } = await get(await created({ description: 'All of it', rateLimits: { chatPerMinute: 2 } }));
    const id = String(body.groupId);
    expect(await update(id, { ...body, groupId: UNKNOWN, createdAt: 1 })).toMatchObject({ status: 200, body });
    const issues = [{ path: 'body.siteIDs', message: 'is not a known field. Did you mean siteIds?' }];
    expect(await update(id, { siteIDs: [] })).toMatchObject({ status: 400, body: { issues } });
    expect(await create({ name: 'Docs', siteIds, siteIDs: [] })).toMatchObject({ status: 400, body: { issues } });
    expect((await get(id)).body).toEqual(body);
  });

  it('a group loses none of several concurrent changes', async () => {
    const id = await created();
    await Promise.all([
      update(id, { name: 'New' }),
      update(id, { description: 'New' }),
      update(id, { siteIds: siteIds.slice(0, 1) }),
    ]);
    expect((await get(id)).body).toMatchObject({ name: 'New', description: 'New', siteIds: siteIds.slice(0, 1) });
  });

  it('a deleted group leaves its sites', async () => {
    const id = await created();
    expect(await remove(id)).toMatchObject({ status: 204, body: {} });
    expect([(await get(id)).status, (await update(id, { name: 'x' })).status, (await remove(id)).status]).toEqual([
      404, 404, 404,
    ]);
    for (const siteId of siteIds) expect((await owner('GET', `/api/sites/${siteId}`)).status).toBe(200);
    expect(JSON.stringify((await owner('GET', '/api/groups')).body)).not.toContain(id);
  });

  it('a deleted site is removed from its groups', async () => {
    const [kept, gone] = [
      await service.createSite('https://kept.example/'),
      await service.createSite('https://gone.example/'),
    ];
    const id = await created({ siteIds: [gone, kept] });
    await owner('DELETE', `/api/sites/${gone}`);
    expect((await get(id)).body.siteIds).toEqual([kept]);
    expect((await update(id, { name: 'Still there' })).body.siteIds).toEqual([kept]);
  });

  it('a group refuses unknown sites and those of other organisations by name, and keeps its present sites', async () => {
    const { apiKey } = await service.makeOrganisation('enterprise');
    const other = service.client(apiKey);
    const { body } = await other('POST', '/api/sites', { body: { name: 'Other', baseUrl: 'https://other.example/' } });
    const id = await created();
    for (const siteId of [UNKNOWN, String(body.siteId)]) {
      const answers = [
        await create({ name: 'x', siteIds: [siteIds[0], siteId] }),
        await update(id, { siteIds: [siteId] }),
      ];
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
        expect(String(answer.body.error)).toContain(siteId);
      }
    }
    expect((await get(id)).body.siteIds).toEqual(siteIds);
    for (const answer of [await get(id, other), await update(id, { name: 'x' }, other), await remove(id, other)])
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it.each([
    ['no name', { siteIds: [UNKNOWN] }],
    ['no sites', { name: 'x' }],
    ['an empty list of sites', { name: 'x', siteIds: [] }],
    ['a site that is no id', { name: 'x', siteIds: ['a'] }],
    ['an unknown field of publicAccess', { name: 'x', siteIds: [UNKNOWN], publicAccess: { enable: true } }],
  ])('are not created with %s', async (_, body) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  it.each(['free', 'pro'])('need the enterprise plan: 402 at creation and 403 else for %s', async (plan) => {
    const { apiKey } = await service.makeOrganisation(plan);
    const who = service.client(apiKey);
    expect(await create({ name: 'x', siteIds }, who)).toMatchObject({
      status: 402,
      body: { code: 'plan_limit', error: ERROR },
    });
    const others = [
      await who('GET', '/api/groups'),
      await get(UNKNOWN, who),
      await update(UNKNOWN, { name: 'x' }, who),
      await remove(UNKNOWN, who),
    ];
    for (const answer of others)
      expect(answer).toMatchObject({ status: 403, body: { code: 'plan_required', error: ERROR } });
  });

  it('an organisation has at most 100 groups', async () => {
    const { apiKey } = await service.makeOrganisation('enterprise');
    const who = service.client(apiKey);
    const site = await who('POST', '/api/sites', { body: { name: 'x', baseUrl: 'https://x.example/' } });
    const body = { name: 'x', siteIds: [site.body.siteId] };
    const statuses = [];
    for (let n = 0; n < 101; n++) statuses.push((await create(body, who)).status);
    expect([statuses.filter((status) => status === 201).length, statuses.at(-1)]).toEqual([100, 402]);
    const [first] = listOf((await who('GET', '/api/groups')).body.groups);
    await remove(String(first?.groupId), who);
    expect((await create(body, who)).status).toBe(201);
  });
});
