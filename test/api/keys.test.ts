import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { Owner, TestApi } from '../support/test-api.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const FORBIDDEN = { status: 403, body: { code: 'forbidden_role' } };

describe('API keys', () => {
  let service: TestApi;
  let owner: ApiClient;
  let admin: ApiClient;
  let member: ApiClient;

  beforeAll(async () => {
    service = await openApi();
    owner = service.client(service.ready.apiKey);
    const [adminKey, memberKey] = await Promise.all([service.makeKey('admin'), service.makeKey('member')]);
    admin = service.client(adminKey);
    member = service.client(memberKey);
  });
  afterAll(() => service.end());

  const make = (body: object, by = owner): Promise<Answer> => by('POST', '/api/keys', { body });
  const revoke = (keyId: unknown, by = owner): Promise<Answer> => by('DELETE', `/api/keys/${keyId}`);
  const list = async (by = owner) => listOf((await by('GET', '/api/keys?limit=100')).body.keys);
  const statusOf = async (apiKey: unknown): Promise<number> =>
    (await service.client(String(apiKey))('GET', '/api/sites')).status;

  it('a key shows its secret once, works at once, and stops when it is revoked', async () => {
    const { status, body } = await make({ name: ' CI ', role: 'admin' });
    expect(status).toBe(201);
    const { apiKey, ...record } = body;
    const [, keyId, ...secret] = String(apiKey).split('_'); // a secret may have some
    expect(record).toEqual({
      keyId,
      name: 'CI',
      role: 'admin',
      hint: String(apiKey).slice(-4),
      createdAt: expect.any(Number),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    });
    expect(await list()).toContainEqual(record);
    expect(JSON.stringify(await list())).not.toContain(secret.join('_'));
    expect(await statusOf(apiKey)).toBe(200);
    const first = await revoke(keyId);
    expect(first).toMatchObject({ status: 200, body: { keyId, revokedAt: expect.any(Number) } });
    expect(await statusOf(apiKey)).toBe(401);
    expect((await revoke(keyId)).body.revokedAt).toBe(first.body.revokedAt);
    expect((await list()).find((key) => String(key.keyId) === keyId)?.revokedAt).toBe(first.body.revokedAt);
  });

  it('a key is for members unless the request says more, and shows the hour of its last use', async () => {
    const { apiKey, keyId, role } = (await make({ name: 'plain' })).body;
    expect([role, await statusOf(apiKey)]).toEqual(['member', 200]);
    const used = (await list()).find((key) => key.keyId === keyId);
    expect(Number(used?.lastUsedAt) % 3600).toBe(0);
    expect(Math.abs(Date.now() / 1000 - Number(used?.lastUsedAt))).toBeLessThan(3700);
  });

  it('a key creates and revokes keys up to its role', async () => {
    expect(await make({ name: 'x', role: 'owner' }, admin)).toMatchObject(FORBIDDEN);
    const { keyId: ownersKey } = (await make({ name: 'owner', role: 'owner' })).body;
    expect(await revoke(ownersKey, admin)).toMatchObject(FORBIDDEN);
    expect((await revoke(ownersKey)).status).toBe(200);
    const adminsKey = (await make({ name: 'admin', role: 'admin' }, admin)).body.keyId;
    expect((await revoke(adminsKey, admin)).status).toBe(200);
    const refused = [
      await make({ name: 'x' }, member),
      await revoke(adminsKey, member),
      await member('GET', '/api/keys'),
    ];
    for (const answer of refused) expect(answer).toMatchObject(FORBIDDEN);
  });

  it('the last owner key of an organisation cannot be revoked', async () => {
    const { apiKey } = await service.makeOrganisation('free');
    const only = service.client(apiKey);
    const [key] = await list(only);
    const refused = await revoke(key?.keyId, only);
    expect(refused).toMatchObject({ status: 409, body: { code: 'last_owner_key' } });
    expect(refused.body.error).toMatch(/create another owner key first/i);
    const second = (await make({ name: 'second', role: 'owner' }, only)).body;
    const both = await Promise.all([
      revoke(key?.keyId, service.client(String(second.apiKey))),
      revoke(second.keyId, only),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('a key of another organisation and an unknown or malformed id are not found', async () => {
    const other: Owner = await service.makeOrganisation('enterprise');
    const foreign = other.apiKey.split('_')[1];
    for (const keyId of [foreign, UNKNOWN, 'none'])
      expect(await revoke(keyId)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await statusOf(other.apiKey)).toBe(200);
    expect(JSON.stringify(await list())).not.toContain(foreign);
  });

  it.each([
    ['no name', {}, 'body.name'],
    ['a blank name', { name: ' ' }, 'body.name'],
    ['an unknown role', { name: 'x', role: 'root' }, 'body.role'],
    ['an end in the past', { name: 'x', expiresAt: 1_600_000_000 }, 'body.expiresAt'],
    ['an end in milliseconds', { name: 'x', expiresAt: Date.now() + 60_000 }, 'body.expiresAt'],
    ['an end that is no number', { name: 'x', expiresAt: 'soon' }, 'body.expiresAt'],
  ])('are not created with %s', async (_, body, path) => {
    const answer = await make(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(listOf(answer.body.issues).map((issue) => issue.path)).toEqual([path]);
  });

  it('a key expires at the given second', async () => {
    const expiresAt = Math.floor(Date.now() / 1000) + 3600;
    const { status, body } = await make({ name: 'short', expiresAt });
    expect([status, body.expiresAt]).toEqual([201, expiresAt]);
    expect(await statusOf(body.apiKey)).toBe(200);
  });

  it('keys are listed page by page', async () => {
    const all = (await list()).map(({ keyId }) => keyId);
    const seen: unknown[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await owner('GET', `/api/keys?limit=2${cursor}`);
      seen.push(...listOf(body.keys).map(({ keyId }) => keyId));
      if (!body.hasMore) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(seen).toEqual(all);
    expect((await owner('GET', '/api/keys?cursor=x')).status).toBe(400);
  });
});

describe('the organisation of a key', () => {
  let service: TestApi;

  beforeAll(async () => {
    service = await openApi();
  });
  afterAll(() => service.end());

  it('shows plan, role, quotas and use, and follows a change of the plan', async () => {
    const { orgId, apiKey } = await service.makeOrganisation('pro');
    const who = service.client(apiKey);
    const read = async () => (await who('GET', '/api/organisation')).body;
    expect(await read()).toEqual({
      orgId,
      name: 'pro',
      plan: 'pro',
      role: 'owner',
      quotas: { sites: 10, groups: 0, pagesPerSite: 10_000, aiTokensPerMonth: 5_000_000 },
      use: { sites: 0, groups: 0, pagesOfLargestSite: 0, aiTokensThisMonth: 0 },
    });
    const { siteId } = (await who('POST', '/api/sites', { body: { name: 'x', baseUrl: 'https://x.example/' } })).body;
    const pages = ['a', 'b'].map((url) => ({ url: `/${url}`, content: `text ${url}`, contentType: 'text' }));
    await who('POST', `/api/sites/${siteId}/pages`, { body: { pages } });
    expect((await read()).use).toMatchObject({ sites: 1, pagesOfLargestSite: 2 });
    await service.setPlan(orgId, 'free');
    expect(await read()).toMatchObject({ plan: 'free', quotas: { sites: 1, pagesPerSite: 500 }, use: { sites: 1 } });
  });

  it('shows a member its role', async () => {
    const member = service.client(await service.makeKey('member'));
    expect((await member('GET', '/api/organisation')).body).toMatchObject({ name: 'Local', role: 'member' });
  });
});
