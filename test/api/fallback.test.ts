import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Route, surfaceOf } from '../../lambdas/routes/route.ts';
import { routes } from '../../lambdas/routes.ts';
import { listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const pending = Object.entries<Route>(routes).filter(([, route]) => route.pending);
const behindKey = pending.filter(([, { access }]) => 'role' in access);

describe('a request that no endpoint takes', () => {
  let service: TestApi;
  let owner: ApiClient;
  let visitor: ApiClient;
  let siteId: string;
  let groupId: string;

  beforeAll(async () => {
    service = await openApi();
    owner = service.client(service.ready.apiKey);
    visitor = service.client();
    siteId = await service.createSite('https://docs.example');
    const publicAccess = { enabled: true, allowedDomains: ['*'] };
    const group = await owner('POST', '/api/groups', { body: { name: 'All', siteIds: [siteId], publicAccess } });
    groupId = String(group.body.groupId);
  });
  afterAll(() => service.end());

  const pathOf = (route: Route): string =>
    surfaceOf(route) +
    route.paths[0].replaceAll(/\{(\w+)\}/g, (_, name) => ({ siteId, groupId })[name as string] ?? UNKNOWN);

  it.each([
    '/api',
    '/api/',
    '/api/nowhere',
    '/api/sites/a/b/c',
    '/v1',
    '/v1/sites',
    '/api/public/sites',
    '/api//sites',
    '/api/sites/%',
  ])('gets 404 at %s', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'PATCH']) {
      const answer = await owner(method, path);
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it.each([
    ['PATCH', '/api/sites', 'GET, POST'],
    ['DELETE', '/api/sites', 'GET, POST'],
    ['POST', '/api/sites/x', 'DELETE, GET, PUT'],
    ['PUT', '/api/sites/x/pages', 'DELETE, GET, POST'],
    ['GET', '/api/sites/x/crawl', 'POST'],
    ['POST', '/api/jobs/x', 'DELETE, GET'],
    ['DELETE', '/v1/public/sites/x/search', 'GET, POST'],
    ['HEAD', '/api/organisations/x/ai-search/sites', 'GET, POST'],
  ])('gets the supported methods after %s %s', async (method, path, methods) => {
    const { status, headers, body } = await visitor(method, path);
    expect(status).toBe(405);
    expect(headers.get('allow')?.split(', ').sort().join(', ')).toBe(methods);
    if (method !== 'HEAD') expect(body.code).toBe('method_not_allowed');
  });

  it('may have a trailing slash', async () => {
    expect((await owner('GET', '/api/sites/')).status).toBe(200);
    expect((await owner('GET', `/api/sites/${siteId}/`)).status).toBe(200);
  });

  it('gets no CORS headers behind a key', async () => {
    const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'GET' };
    for (const path of ['/api/sites', `/api/sites/${siteId}`, `/api/jobs/${UNKNOWN}`]) {
      const preflight = await owner('OPTIONS', path, { headers });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('allow')).toContain('OPTIONS');
      const answer = await owner('GET', path, { headers });
      for (const each of [preflight, answer]) expect(each.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it.each(behindKey)('needs a key before 501 is returned for %s', async (_, route) => {
    const answer = await visitor(route.method.toUpperCase(), pathOf(route), route.body ? { body: '{' } : {});
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  });

  it.each(pending.filter(([, { query, body }]) => query ?? body))(
    'needs a valid input before 501 is returned for %s',
    async (_, route) => {
      const query = route.query ? '?limit=abc&range=x&month=x&q=&status=x&cursor=' : '';
      const issues = await owner(route.method.toUpperCase(), pathOf(route) + query, route.body ? { body: '[]' } : {});
      expect(issues).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(listOf(issues.body.issues).length).toBeGreaterThan(0);
      if (route.body) {
        const malformed = await owner(route.method.toUpperCase(), pathOf(route), { body: '{' });
        expect(malformed).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
      }
    },
  );

  it.each(behindKey.filter(([, { body }]) => !body))('gets 501 from an owner for %s', async (_, route) => {
    const answer = await owner(route.method.toUpperCase(), pathOf(route));
    expect(answer).toMatchObject({ status: 501, body: { code: 'not_built' } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('needs public access to the site before 501 is returned for suggestions', async () => {
    const suggest = (id: string) => visitor('GET', `/v1/public/sites/${id}/suggest?q=a`);
    expect(await suggest(siteId)).toMatchObject({ status: 501 });
    expect(await suggest(UNKNOWN)).toMatchObject({ status: 404 });
    await owner('PUT', `/api/sites/${siteId}`, { body: { publicAccess: { enabled: false } } });
    expect(await suggest(siteId)).toMatchObject({ status: 403, body: { code: 'feature_disabled' } });
  });
});
