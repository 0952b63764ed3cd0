import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, type Json, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';

describe('the settings of a site', () => {
  let service: TestApi;
  let call: ApiClient;
  let path: string;

  beforeAll(async () => {
    service = await openApi();
    call = service.client(service.ready.apiKey);
  });
  beforeEach(async () => {
    const { body } = await call('POST', '/api/sites', { body: { name: 'Docs', baseUrl: 'https://docs.example' } });
    path = `/api/sites/${body.siteId}`;
  });
  afterAll(() => service.end());

  const change = (body: object): Promise<Answer> => call('PUT', path, { body });
  const settings = async (): Promise<Json> => (await call('GET', path)).body;
  const changed = async (body: object): Promise<Json> => {
    const answer = await change(body);
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(answer.body.site).toEqual(await settings());
    return settings();
  };

  it('an update changes single fields inside objects; other fields stay', async () => {
    await changed({ publicAccess: { enabled: true, allowedDomains: ['a.example', 'b.example'] }, name: 'First' });
    await changed({ publicAccess: { sessionTTLMinutes: 5 }, rateLimits: { searchPerMinute: 9, perIpPerMinute: 3 } });
    const site = await changed({ rateLimits: { searchPerMinute: 8 }, crawlerConfig: { maxDepth: 1 } });
    expect(site).toMatchObject({
      name: 'First',
      publicAccess: {
        enabled: true,
        searchEnabled: true,
        allowedDomains: ['a.example', 'b.example'],
        sessionTTLMinutes: 5,
      },
      rateLimits: { searchPerMinute: 8, perIpPerMinute: 3 },
      crawlerConfig: { maxPages: 100, maxDepth: 1 },
    });
  });

  it('an update replaces a list as a whole; an empty list clears it', async () => {
    const full = await changed({
      publicAccess: { allowedDomains: ['a.example', 'b.example'] },
      tagBoosts: [{ tag: 'news', boost: 0 }],
      urlBoosts: [{ urlPrefix: '/blog', boost: 2 }],
      metadataSchema: [{ name: 'price', type: 'number', label: 'Price', facet: true }],
    });
    expect(full).toMatchObject({
      tagBoosts: [{ tag: 'news', boost: 0 }],
      urlBoosts: [{ urlPrefix: '/blog', boost: 2 }],
      metadataSchema: [{ name: 'price', type: 'number', label: 'Price', facet: true }],
    });
    const empty = { tagBoosts: [], urlBoosts: [], metadataSchema: [], publicAccess: { allowedDomains: ['c.example'] } };
    expect(await changed(empty)).toMatchObject(empty);
  });

  it('an update clears an optional setting by null', async () => {
    const set = await changed({
      domain: 'www.example',
      description: 'Everything',
      rateLimits: { searchPerMinute: 5, chatPerMinute: 4 },
      crawlerConfig: { delayMs: 50, singleUrls: ['https://docs.example/a'], sitemaps: [{ url: '/sitemap.xml' }] },
    });
    expect(set).toMatchObject({
      domain: 'www.example',
      description: 'Everything',
      crawlerConfig: { delayMs: 50, sitemaps: [{ url: '/sitemap.xml', recursive: false }] },
    });
    const site = await changed({
      domain: null,
      description: null,
      rateLimits: { searchPerMinute: null },
      crawlerConfig: { delayMs: null, singleUrls: null, sitemaps: null },
    });
    expect(site).not.toHaveProperty('domain');
    expect(site).not.toHaveProperty('description');
    expect(site.rateLimits).toEqual({ chatPerMinute: 4 });
    expect(Object.keys(site.crawlerConfig ?? {}).sort()).toEqual(
      ['excludePatterns', 'includePatterns', 'javascriptEnabled', 'maxDepth', 'maxPages', 'respectRobotsTxt'].sort(),
    );
  });

  it('an update with null does not clear a required setting', async () => {
    const answer = await change({ name: null, publicAccess: { enabled: null }, tagBoosts: null });
    expect(answer.status).toBe(400);
    expect(listOf(answer.body.issues).map((issue) => issue.path)).toEqual([
      'body.name',
      'body.publicAccess.enabled',
      'body.tagBoosts',
    ]);
  });

  it('settings can be read, changed and sent back; fields that only the service sets are ignored', async () => {
    const before = await changed({
      domain: 'www.example',
      description: 'Everything',
      rateLimits: { chatPerMinute: 4 },
      tagBoosts: [{ tag: 'news', boost: 2 }],
      metadataSchema: [{ name: 'price', type: 'number' }],
      crawlerConfig: { delayMs: 50, singleUrls: ['/a'], includePatterns: ['/a*'] },
    });
    expect(await changed(before)).toEqual(before);
    const foreign = { siteId: UNKNOWN, createdAt: 1, pageCount: 5, status: 'ready', lastCrawledAt: 1 };
    const states = { lastError: 'x', lastErrorCode: 'x', lastCrawl: { jobId: UNKNOWN }, warnings: ['x'] };
    expect(await changed({ ...before, ...foreign, ...states, name: 'New' })).toEqual({ ...before, name: 'New' });
  });

  it.each([
    ['publicAcess', 'Did you mean publicAccess?'],
    ['tagboosts', 'Did you mean tagBoosts?'],
    ['discription', 'Did you mean description?'],
    ['crawlConfig', 'Did you mean crawlerConfig?'],
    ['orgId', 'The fields are name, baseUrl, domain, '],
    ['version', 'The fields are '],
    ['privateHost', 'The fields are '],
    ['x'.repeat(5000), 'The fields are '],
  ])('refuse the unknown field %.20s', async (field, advice) => {
    const { status, body } = await change({ name: 'New', [field]: {} });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    const [issue, ...others] = listOf(body.issues);
    expect([issue?.path, others]).toEqual([`body.${field.length > 100 ? `${field.slice(0, 100)}…` : field}`, []]);
    expect(issue?.message).toContain(`is not a known field. ${advice}`);
    expect(await settings()).toMatchObject({ name: 'Docs' });
  });

  it('an update returns warnings of settings without effect', async () => {
    const { body } = await change({
      tagBoosts: [
        { tag: 'news', boost: 0 },
        { tag: 'docs', boost: 2 },
      ],
      urlBoosts: [{ urlPrefix: '/old', boost: -1 }],
    });
    expect(body).toMatchObject({
      success: true,
      warnings: [
        'tagBoosts.0 (news): a boost of zero or less has no effect',
        'urlBoosts.0 (/old): a boost of zero or less has no effect',
      ],
    });
    expect((await change({ name: 'New' })).body).not.toHaveProperty('warnings');
  });

  it.each(['docs.example', 'DOCS.example:8443', 'http://docs.example/', 'b\u00fccher.example', '127.0.0.1'])(
    'have %s as a domain for links',
    async (domain) => expect(await changed({ domain })).toMatchObject({ domain }),
  );

  it.each([
    ...['javascript:alert(1)', '"><script>', 'ftp://docs.example', '//docs.example', 'https:docs.example'],
    ...['*.docs.example', 'user@docs.example', 'docs.example:99999', 'docs example'],
  ])('refuse %s as a domain for links', async (domain) => {
    const { status, body } = await change({ domain });
    expect(status).toBe(400);
    expect(listOf(body.issues).map((issue) => issue.path)).toEqual(['body.domain']);
  });

  it.each(['tags', '__proto__'])('refuse a field %s, which no filter could ask for', async (name) => {
    const { status, body } = await change({ metadataSchema: [{ name, type: 'string' }] });
    expect(status).toBe(400);
    expect(listOf(body.issues).map((issue) => issue.path)).toEqual(['body.metadataSchema.0.name']);
  });

  it('settings show in which ways pages may be rendered', async () => {
    const { status, body } = await change({ crawlerConfig: { javascriptEnabled: 'yes' } });
    expect(status).toBe(400);
    const path = 'body.crawlerConfig.javascriptEnabled';
    expect(body.issues).toEqual([{ path, message: 'must be true, false or "auto"' }]);
    expect((await change({ crawlerConfig: { javascriptEnabled: 'auto' } })).status).toBe(200);
  });

  it('an update refuses a pattern that can match nothing, and shows the right spelling', async () => {
    const patterns = { includePatterns: ['docs/*', '/docs/*'], excludePatterns: ['https://other.test/*'] };
    const { status, body } = await change({ crawlerConfig: patterns });
    expect(status).toBe(400);
    expect(body.issues).toEqual([
      { path: 'body.crawlerConfig.includePatterns.0', message: expect.stringContaining('write `/docs/*`') },
      { path: 'body.crawlerConfig.excludePatterns.0', message: expect.stringContaining('write `/*`') },
    ]);
  });

  it('an update refuses unknown fields in nested objects, and reports all faults at once', async () => {
    const answer = await change({
      publicAccess: { enabld: true, enabled: 'yes' },
      rateLimits: { searchPerMin: 1, chatPerMinute: 0 },
      crawlerConfig: { maxDeep: 1, sitemaps: [{ url: '/s.xml', deep: true }] },
      metadataSchema: [{ name: 'a b', type: 'text' }],
      tagBoosts: [{ tag: 'a', boost: 1, weight: 2 }],
      urlBoosts: [{ prefix: '/', boost: 1 }],
      removalPolicy: { mode: 'always' },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(listOf(answer.body.issues).map((issue) => issue.path)).toEqual([
      ...['body.publicAccess.enabled', 'body.publicAccess.enabld'],
      ...['body.rateLimits.chatPerMinute', 'body.rateLimits.searchPerMin'],
      ...['body.crawlerConfig.sitemaps.0.deep', 'body.crawlerConfig.maxDeep'],
      ...['body.metadataSchema.0.name', 'body.metadataSchema.0.type'],
      'body.tagBoosts.0.weight',
      ...['body.urlBoosts.0.urlPrefix', 'body.urlBoosts.0.prefix'],
      'body.removalPolicy.mode',
    ]);
    expect(listOf(answer.body.issues)[1]?.message).toBe('is not a known field. Did you mean enabled?');
    expect(listOf(answer.body.issues)[3]?.message).toBe('is not a known field. Did you mean searchPerMinute?');
    expect(await settings()).toMatchObject({ publicAccess: { enabled: false }, rateLimits: {}, tagBoosts: [] });
  });

  it('an update refuses a sitemap that is not an HTTP URL', async () => {
    for (const url of ['file:///etc/passwd', 'ftp://docs.example/sitemap.xml', 'data:text/xml,<urlset/>', 'http://']) {
      const { status, body } = await change({ crawlerConfig: { sitemaps: [{ url: '/sitemap.xml' }, { url }] } });
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toContain('body.crawlerConfig.sitemaps.1.url');
    }
  });

  it('settings stay unchanged if part of an update is refused', async () => {
    expect((await change({ name: 'New name', rateLimits: { searchPerMinute: -1 } })).status).toBe(400);
    expect(await settings()).toMatchObject({ name: 'Docs' });
  });

  it('settings keep every one of several concurrent changes, even to one object', async () => {
    for (let round = 1; round <= 6; round++) {
      const answers = await Promise.all([
        change({ rateLimits: { searchPerMinute: 100 + round } }),
        change({ rateLimits: { chatPerMinute: 200 + round } }),
        change({ rateLimits: { perIpPerMinute: 300 + round } }),
        change({ publicAccess: { sessionTTLMinutes: round } }),
        change({ crawlerConfig: { maxPages: round } }),
        change({ crawlerConfig: { maxDepth: round } }),
        change({ name: `Round ${round}` }),
        change({ description: `Round ${round}` }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(await settings()).toMatchObject({
        name: `Round ${round}`,
        description: `Round ${round}`,
        rateLimits: { searchPerMinute: 100 + round, chatPerMinute: 200 + round, perIpPerMinute: 300 + round },
        publicAccess: { sessionTTLMinutes: round },
        crawlerConfig: { maxPages: round, maxDepth: round },
      });
    }
  });

  it('settings stay unchanged after an empty update, and an update needs a body', async () => {
    const before = await settings();
    expect(await changed({})).toEqual(before);
    const answer = await call('PUT', path);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', issues: [{ path: 'body' }] } });
  });
});
