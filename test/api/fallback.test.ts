import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';

describe('a request that no endpoint takes', () => {
  let service: TestApi;
  let owner: ApiClient;
  let visitor: ApiClient;
  let siteId: string;

  beforeAll(async () => {
    service = await openApi();
    owner = service.client(service.ready.apiKey);
    visitor = service.client();
    siteId = await service.createSite('https://docs.example');
  });
  afterAll(() => service.end());

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

  it('a known path may have a trailing slash', async () => {
    expect((await owner('GET', '/api/sites/')).status).toBe(200);
    expect((await owner('GET', `/api/sites/${siteId}/`)).status).toBe(200);
  });

  it('an answer to a request with a key has no CORS headers', async () => {
    const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'GET' };
    for (const path of ['/api/sites', `/api/sites/${siteId}`, `/api/jobs/${UNKNOWN}`]) {
      const preflight = await owner('OPTIONS', path, { headers });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('allow')).toContain('OPTIONS');
      const answer = await owner('GET', path, { headers });
      for (const each of [preflight, answer]) expect(each.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});
