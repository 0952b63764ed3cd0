import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { Owner, TestApi } from '../support/test-api.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const NEW = { name: 'Docs', baseUrl: 'https://docs.example' };

describe('the sites of an organisation', () => {
  let service: TestApi;
  let owner: ApiClient;
  let member: ApiClient;
  let admin: ApiClient;
  let other: ApiClient;
  let otherOrganisation: Owner;

  beforeAll(async () => {
    service = await openApi();
    const [memberKey, adminKey, organisation] = await Promise.all([
      service.makeKey('member'),
      service.makeKey('admin'),
      service.makeOrganisation('free'),
    ]);
    owner = service.client(service.ready.apiKey);
    member = service.client(memberKey);
    admin = service.client(adminKey);
    otherOrganisation = organisation;
    other = service.client(otherOrganisation.apiKey);
  });
  afterAll(() => service.end());

  const created = async (by: ApiClient, body: object = NEW): Promise<string> =>
    String((await by('POST', '/api/sites', { body })).body.siteId);
  const idsOf = async (by: ApiClient): Promise<readonly unknown[]> =>
    listOf((await by('GET', '/api/sites')).body.sites).map(({ siteId }) => siteId);

  it('a new site is pending and empty, and listed only for its organisation', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { status, body, headers } = await member('POST', '/api/sites', { body: NEW });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.siteId,
      siteId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Docs',
      baseUrl: 'https://docs.example/',
      status: 'pending',
      pageCount: 0,
      createdAt: expect.any(Number),
    });
    expect(Number(body.createdAt)).toBeGreaterThanOrEqual(before);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(await idsOf(owner)).toContain(body.siteId);
    expect(await idsOf(other)).toEqual([]);
  });

  it('a site can be read and sent back, with the id that only the service sets', async () => {
    const siteId = await created(owner);
    const { body } = await owner('GET', `/api/sites/${siteId}`);
    expect(body.id).toBe(siteId);
    expect((await owner('PUT', `/api/sites/${siteId}`, { body })).status).toBe(200);
    expect((await owner('POST', '/api/sites', { body })).status).toBe(201);
    expect((await owner('GET', `/api/sites/${siteId}`)).body).toEqual(body);
  });

  it('a site is created with every setting that an update accepts, merged onto the defaults', async () => {
    const settings = {
      domain: 'www.example',
      description: 'All of it',
      urlBoosts: [{ urlPrefix: '/a', boost: 2 }],
      rateLimits: { searchPerMinute: 9 },
      tagBoosts: [{ tag: 'news', boost: 3 }],
      metadataSchema: [{ name: 'version', type: 'string', facet: true, from: { urlPattern: '/docs/*/' } }],
    };
    const siteId = await created(owner, {
      ...NEW,
      ...settings,
      siteId: 'ignored',
      status: 'ready',
      pageCount: 7,
      publicAccess: { enabled: true, allowedDomains: ['*'] },
      crawlerConfig: { maxDepth: 1, delayMs: null, includePatterns: ['/docs/*'] },
      removalPolicy: { holdPercent: 50 },
    });
    const { body } = await owner('GET', `/api/sites/${siteId}`);
    expect(body).toMatchObject({
      ...settings,
      siteId,
      status: 'pending',
      pageCount: 0,
      publicAccess: { enabled: true, searchEnabled: true, allowedDomains: ['*'], sessionTTLMinutes: 30 },
      crawlerConfig: { maxPages: 100, maxDepth: 1, includePatterns: ['/docs/*'] },
      removalPolicy: { holdPercent: 50, minPages: 10, mode: 'hold' },
    });
    expect(body.crawlerConfig).not.toHaveProperty('delayMs');
    expect((await service.visit(`/public/sites/${siteId}/search?q=words`)).status).toBe(200);
  });

  it.each([
    ['http://169.254.169.254/latest/', '169.254.169.254'],
    ['http://[fd00:ec2::254]/', 'fd00:ec2::254'],
    ['http://0x0a.1:8080/', '10.0.0.1'],
  ])('are created and changed with a warning if %s is private', async (baseUrl, address) => {
    const warnings = [expect.stringContaining(`baseUrl: ${address} is a private address: no crawl reads it`)];
    const created = await owner('POST', '/api/sites', { body: { name: 'Inside', baseUrl } });
    expect(created).toMatchObject({ status: 201, body: { warnings } });
    const path = `/api/sites/${created.body.siteId}`;
    expect((await owner('PUT', path, { body: { name: 'Still inside' } })).body).not.toHaveProperty('warnings');
    expect((await owner('PUT', path, { body: { baseUrl } })).body).toMatchObject({ warnings });
    for (const other of ['https://intranet.example/', 'http://93.184.215.14/'])
      expect((await owner('PUT', path, { body: { baseUrl: other } })).body).not.toHaveProperty('warnings');
  });

  it('the answer to a new site has warnings of settings without effect', async () => {
    const { status, body } = await owner('POST', '/api/sites', {
      body: { ...NEW, tagBoosts: [{ tag: 'old', boost: -1 }] },
    });
    expect(status).toBe(201);
    expect(body.warnings).toEqual(['tagBoosts.0 (old): a boost of zero or less has no effect']);
  });

  it('a site shows all settings with their defaults', async () => {
    const siteId = await created(owner, { ...NEW, domain: 'www.example', crawlerConfig: { maxPages: 7 } });
    const { status, body } = await owner('GET', `/api/sites/${siteId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      domain: 'www.example',
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
      rateLimits: {},
      crawlerConfig: {
        maxPages: 7,
        maxDepth: 3,
        respectRobotsTxt: true,
        excludePatterns: [],
        includePatterns: [],
        javascriptEnabled: false,
      },
      metadataSchema: [],
      tagBoosts: [],
      urlBoosts: [],
      removalPolicy: { holdPercent: 10, minPages: 10, mode: 'hold' },
    });
    expect(body).not.toHaveProperty('lastCrawledAt');
  });

  it.each([
    ['nothing', {}, ['body.name', 'body.baseUrl']],
    ['a blank name and FTP', { name: '  ', baseUrl: 'ftp://docs.example' }, ['body.name', 'body.baseUrl']],
    ['a base URL without a host', { ...NEW, baseUrl: 'http://[' }, ['body.baseUrl']],
    ['a base URL with a password', { ...NEW, baseUrl: 'https://me:secret@docs.example' }, ['body.baseUrl']],
    ['a relative base URL', { ...NEW, baseUrl: 'docs.example' }, ['body.baseUrl']],
    ['a name of 201 characters', { ...NEW, name: 'x'.repeat(201) }, ['body.name']],
    [
      'an unknown crawler field and one out of bounds',
      { ...NEW, crawlerConfig: { maxPages: 0, maxDeep: 1 } },
      ['body.crawlerConfig.maxPages', 'body.crawlerConfig.maxDeep'],
    ],
    ['a misspelt field', { ...NEW, publicAcess: { enabled: true }, orgId: 'x' }, ['body.publicAcess', 'body.orgId']],
    [
      'settings that an update refuses',
      { ...NEW, rateLimits: { searchPerMinute: 0 }, tagBoosts: [{ tag: '', boost: 1 }], removalPolicy: { mode: 'x' } },
      ['body.rateLimits.searchPerMinute', 'body.tagBoosts.0.tag', 'body.removalPolicy.mode'],
    ],
    [
      'a pattern that can match nothing',
      { ...NEW, crawlerConfig: { excludePatterns: ['/a', 'docs/*'] } },
      ['body.crawlerConfig.excludePatterns.1'],
    ],
    ['a list', [], ['body']],
  ])('are not created from %s, and every fault is reported', async (_, body, paths) => {
    const answer = await owner('POST', '/api/sites', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect([...new Set(listOf(answer.body.issues).map(({ path }) => path))]).toEqual(paths);
  });

  it('a site is the same in both path families', async () => {
    const family = `/api/organisations/${service.ready.orgId}/ai-search/sites`;
    const { status, body } = await owner('POST', family, { body: NEW });
    expect(status).toBe(201);
    const site = await owner('GET', `${family}/${body.siteId}`);
    expect(site.body).toEqual((await owner('GET', `/api/sites/${body.siteId}`)).body);
    expect((await owner('GET', family)).body).toEqual((await owner('GET', '/api/sites')).body);
    const change = await owner('PUT', `${family}/${body.siteId}`, { body: { name: 'Renamed' } });
    expect(change).toMatchObject({ status: 200, body: { success: true } });
    expect((await owner('GET', `/api/sites/${body.siteId}`)).body.name).toBe('Renamed');
    expect((await owner('DELETE', `${family}/${body.siteId}`)).status).toBe(200);
    expect(await idsOf(owner)).not.toContain(body.siteId);
  });

  it('a site is not found in the paths of an organisation other than the key’s', async () => {
    const siteId = await created(owner);
    for (const orgId of [otherOrganisation.orgId, UNKNOWN, 'none']) {
      const family = `/api/organisations/${orgId}/ai-search/sites`;
      const calls = [
        owner('GET', family),
        owner('POST', family, { body: NEW }),
        owner('GET', `${family}/${siteId}`),
        owner('PUT', `${family}/${siteId}`, { body: { name: 'Taken' } }),
        owner('DELETE', `${family}/${siteId}`),
      ];
      for (const { status } of await Promise.all(calls)) expect(status).toBe(404);
    }
    expect((await owner('GET', `/api/sites/${siteId}`)).body.name).toBe('Docs');
  });

  it('a site is not found for another organisation, an unknown id and a malformed id, with the same message', async () => {
    const siteId = await created(owner);
    const ours = { body: { name: 'Taken', publicAccess: { enabled: true } } };
    for (const id of [siteId, UNKNOWN]) {
      for (const [method, call] of [['GET'], ['PUT', ours], ['DELETE']] as const)
        expect(await other(method, `/api/sites/${id}`, call)).toMatchObject({
          status: 404,
          body: { error: 'Site not found', code: 'not_found' },
        });
    }
    for (const id of ['abc', '%00', '..%2f', `${siteId}x`, '%ff'])
      expect((await owner('GET', `/api/sites/${id}`)).status).toBe(404);
    expect((await owner('GET', `/api/sites/${siteId}`)).body).toMatchObject({ name: 'Docs' });
  });

  it('a site is deleted only by an owner', async () => {
    const siteId = await created(member);
    for (const by of [member, admin]) {
      const refused = await by('DELETE', `/api/sites/${siteId}`);
      expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden_role' } });
    }
    expect((await owner('GET', `/api/sites/${siteId}`)).status).toBe(200);
    expect(await owner('DELETE', `/api/sites/${siteId}`)).toMatchObject({ status: 200, body: { success: true } });
    expect((await owner('DELETE', `/api/sites/${siteId}`)).status).toBe(404);
  });

  it('the plan limits the number of sites, even if they are created concurrently', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => other('POST', '/api/sites', { body: NEW })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 402, 402, 402]);
    expect(answers.find(({ status }) => status === 402)?.body).toMatchObject({
      code: 'plan_limit',
      error: 'The free plan includes 1 site, and the organisation has 1. Delete one or change the plan.',
    });
    const [siteId] = await idsOf(other);
    expect((await other('DELETE', `/api/sites/${siteId}`)).status).toBe(200);
    expect(await created(other)).not.toBe('undefined');
    expect(await idsOf(other)).toHaveLength(1);
  });

  it('sites remain when the plan allows fewer, but no site can be added', async () => {
    const { orgId, apiKey } = await service.makeOrganisation('pro');
    const who = service.client(apiKey);
    const ids = await Promise.all([created(who), created(who), created(who)]);
    await service.setPlan(orgId, 'free');
    expect(await who('POST', '/api/sites', { body: NEW })).toMatchObject({
      status: 402,
      body: { code: 'plan_limit', error: expect.stringContaining('includes 1 site, and the organisation has 3') },
    });
    expect((await idsOf(who)).toSorted()).toEqual(ids.toSorted());
    expect((await who('PUT', `/api/sites/${ids[0]}`, { body: { name: 'Still mine' } })).status).toBe(200);
  });

  it('sites need a valid key', async () => {
    const { apiKey } = service.ready;
    const changed = apiKey.slice(0, -1) + (apiKey.endsWith('A') ? 'B' : 'A');
    const credentials = [
      '',
      'Bearer',
      'Bearer x',
      `Basic ${apiKey}`,
      apiKey,
      `Bearer ${changed}`,
      `Bearer ${apiKey} x`,
    ];
    const visitor = service.client();
    for (const Authorization of credentials) {
      const { status, body, headers } = await visitor('GET', '/api/sites', { headers: { Authorization } });
      expect([Authorization, status]).toEqual([Authorization, 401]);
      expect(body.code).toBe('unauthorized');
      expect(headers.get('www-authenticate')).toBe('Bearer');
      expect(headers.get('cache-control')).toBe('no-store');
    }
    const lowerCase = await visitor('GET', '/api/sites', { headers: { Authorization: `bearer  ${apiKey}` } });
    expect(lowerCase.status).toBe(200);
  });
});
