import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Route, surfaceOf } from '../../lambdas/routes/route.ts';
import { routes } from '../../lambdas/routes.ts';
import { type Answer, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';

type Headers = Readonly<Record<string, string>>;
type Case = readonly [allowedDomains: readonly string[], headers: Headers, isAdmitted: boolean];

const FEATURES = { searchEnabled: true, chatEnabled: true, mcpEnabled: true };
/** Bodies that all routes with one accept. */
const CLICK = { query: 'x', type: 'click', url: 'https://shop.example/', position: 1 };
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

const from = (Origin: string): Headers => ({ Origin });
const referer = (Referer: string): Headers => ({ Referer });

const SHOP = ['shop.example'];
const BELOW = ['*.shop.example'];
const EXACT = ['https://shop.example:8443'];

/** Which requests the allowed domains of a site or group admit. */
const ORIGINS: readonly Case[] = [
  [[], {}, false],
  [[], from('https://shop.example'), false],
  [[], from('null'), false],
  [['*'], {}, true],
  [['*'], from('https://any.example'), true],
  [['*'], from('null'), true],
  [['*'], from('no origin'), true],
  [['other.example', '*'], from('https://shop.example'), true],
  [SHOP, {}, false],
  [SHOP, from(''), false],
  [SHOP, from('https://shop.example'), true],
  [SHOP, from('http://shop.example'), true],
  [SHOP, from('https://shop.example:8443'), true],
  [SHOP, from('HTTPS://SHOP.EXAMPLE'), true],
  [['SHOP.Example'], from('https://shop.example'), true],
  [[' shop.example '], from('https://shop.example'), true],
  [['shop.example/'], from('https://shop.example'), true],
  [['other.example', 'shop.example'], from('https://shop.example'), true],
  [SHOP, from('https://www.shop.example'), false],
  [SHOP, from('https://example'), false],
  [SHOP, from('https://evil-shop.example'), false],
  [SHOP, from('https://evilshop.example'), false],
  [SHOP, from('https://shop.example.evil.org'), false],
  [SHOP, from('https://shop-example.evil.org'), false],
  [SHOP, from('https://shop.example@evil.org'), false],
  [SHOP, from('https://shop.example:443@evil.org'), false],
  [SHOP, from('https://evil.org@shop.example'), false],
  [SHOP, from('https://evil.org/shop.example'), false],
  [SHOP, from('https://evil.org#shop.example'), false],
  [SHOP, from('https://evil.org\\.shop.example'), false],
  [SHOP, from('https://shop.example\\@evil.org'), false],
  [SHOP, from('https://shop.example https://evil.org'), false],
  [SHOP, from('https://evil.org, https://shop.example'), false],
  [SHOP, from('https://shop.example.'), false],
  [SHOP, from('https://shop%2eexample'), true],
  [SHOP, from('https://shop.example:99999'), false],
  [SHOP, from('shop.example'), false],
  [SHOP, from('//shop.example'), false],
  [SHOP, from('null'), false],
  [SHOP, from('*'), false],
  [SHOP, from('file://'), false],
  [BELOW, from('https://www.shop.example'), true],
  [BELOW, from('https://a.b.c.shop.example:81'), true],
  [BELOW, from('https://shop.example'), false],
  [BELOW, from('https://.shop.example'), false],
  [BELOW, from('https://..shop.example'), false],
  [BELOW, from('https://a..shop.example'), false],
  [BELOW, from('https://evilshop.example'), false],
  [BELOW, from('https://www.shop.example.evil.org'), false],
  [BELOW, from('https://www.shop.example.'), false],
  [['shop.example', '*.shop.example'], from('https://shop.example'), true],
  [['https://*.shop.example'], from('https://a.shop.example'), true],
  [['https://*.shop.example'], from('http://a.shop.example'), false],
  [['https://*.shop.example:8443'], from('https://a.shop.example:8443'), true],
  [['https://shop.example'], from('http://shop.example'), false],
  [['HTTPS://shop.example'], from('https://shop.example'), true],
  [EXACT, from('https://shop.example:8443'), true],
  [EXACT, from('https://shop.example'), false],
  [EXACT, from('http://shop.example:8443'), false],
  [['shop.example:443'], from('https://shop.example'), true],
  [['shop.example:443'], from('http://shop.example'), false],
  [['shop.example:80'], from('http://shop.example'), true],
  [['shop.example:80'], from('https://shop.example'), false],
  [['shop.example:8080'], from('http://shop.example:8081'), false],
  [['bücher.example'], from('https://xn--bcher-kva.example'), true],
  [['xn--bcher-kva.example'], from('https://xn--bcher-kva.example'), true],
  [['XN--BCHER-KVA.example'], from('https://xn--bcher-kva.example'), true],
  [['bücher.example'], from('https://bucher.example'), false],
  [['localhost:3000'], from('http://localhost:3000'), true],
  [['localhost:3000'], from('http://localhost:3001'), false],
  [['127.0.0.1'], from('http://127.0.0.1:8787'), true],
  [['127.0.0.1'], from('http://127.0.0.1.evil.org'), false],
  [['[::1]'], from('http://[::1]:8787'), true],
  [['[::1]:8787'], from('http://[::1]:8787'), true],
  [['[::1]:8787'], from('http://[::1]'), false],
  [['[0:0:0:0:0:0:0:1]'], from('http://[::1]'), true],
  [['[2001:db8::1]'], from('http://[2001:db8::2]'), false],
  [SHOP, referer('https://shop.example/page?x=1#y'), true],
  [SHOP, referer('https://shop.example'), true],
  [SHOP, referer('https://evil.org/?https://shop.example/'), false],
  [SHOP, referer('https://evil.org/shop.example'), false],
  [SHOP, referer('shop.example'), false],
  [SHOP, { Origin: 'https://evil.org', Referer: 'https://shop.example/' }, false],
  [SHOP, { Origin: 'null', Referer: 'https://shop.example/' }, false],
  [SHOP, { Origin: '', Referer: 'https://shop.example/' }, true],
  [SHOP, { Origin: 'https://shop.example', Referer: 'https://evil.org/' }, true],
];

/** Entries that could never admit anybody, and a word of the reason. */
const NONSENSE = [
  ['null', /`\*` admits/],
  ['shop.example/docs', /without a path/],
  ['https://shop.example/docs?x', /without a path/],
  ['*shop.example', /in front/],
  ['www.*', /in front/],
  ['*.*', /in front/],
  ['*.127.0.0.1', /in front/],
  ['*.[::1]', /in front/],
  ['::1', /a domain/],
  ['shop example', /a domain/],
  ['shop.example:http', /a domain/],
  ['shop.example:99999', /a domain/],
  ['me@shop.example', /a domain/],
  ['.shop.example', /a domain/],
  ['shop..example', /a domain/],
  ['https://', /a domain/],
  ['a.example, b.example', /a domain/],
] as const;

const visits = Object.entries<Route>(routes).flatMap(([name, route]) =>
  'feature' in route.access ? [[name, route, route.access] as const] : [],
);

describe('public access', () => {
  let service: TestApi;
  let owner: ApiClient;
  let visitor: ApiClient;
  let member: ApiClient;
  let foreign: ApiClient;
  let ids: Readonly<Record<'site' | 'group', string>>;

  beforeAll(async () => {
    service = await openApi();
    owner = service.client(service.ready.apiKey);
    visitor = service.client();
    member = service.client(await service.makeKey('member'));
    foreign = service.client((await service.makeOrganisation('enterprise')).apiKey);
    const site = await service.createSite('https://shop.example/');
    const page = { url: '/', title: 'Shop', content: 'All that we sell', contentType: 'text' };
    await owner('POST', `/api/sites/${site}/pages`, { body: { pages: [page] } });
    const group = await owner('POST', '/api/groups', { body: { name: 'All', siteIds: [site] } });
    ids = { site, group: String(group.body.groupId) };
  });
  afterAll(() => service.end());

  type Scope = keyof typeof ids;
  const set = async (scope: Scope, publicAccess: object): Promise<Answer> =>
    owner('PUT', `/api/${scope}s/${ids[scope]}`, { body: { publicAccess } });
  const open = (scope: Scope, more: object = {}) =>
    set(scope, { enabled: true, ...FEATURES, allowedDomains: ['*'], ...more });
  const search = (scope: Scope, headers: Headers = {}, by = visitor): Promise<Answer> =>
    by('GET', `/v1/public/${scope}s/${ids[scope]}/search?q=x`, { headers });

  describe.each(['site', 'group'] as const)('of a %s', (scope) => {
    it.each(ORIGINS)(
      'public access with the allowed domains %j and %j: %j',
      async (allowedDomains, headers, isAdmitted) => {
        expect((await open(scope, { allowedDomains })).status).toBe(200);
        const { status, body, headers: answered } = await search(scope, headers);
        expect([status, body.code]).toEqual(isAdmitted ? [200, undefined] : [403, 'origin_not_allowed']);
        const named = isAdmitted && headers.Origin ? headers.Origin : null;
        expect(answered.get('access-control-allow-origin')).toBe(named);
        const byKey = await search(scope, headers, member);
        expect([byKey.status, byKey.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
        expect((await search(scope, headers, foreign)).status).toBe(status);
      },
    );

    it.each(NONSENSE)('settings with the domain %j, which could admit nobody, are refused', async (entry, reason) => {
      const { status, body } = await set(scope, { allowedDomains: ['a.example', entry] });
      expect([status, body.code]).toEqual([400, 'invalid_request']);
      expect(listOf(body.issues)).toEqual([
        { path: 'body.publicAccess.allowedDomains.1', message: expect.stringMatching(reason) },
      ]);
    });
  });

  it.each(visits)(
    '%s is open only while its feature is on, and public access or with a key',
    async (_, route, access) => {
      const { scope, feature } = access;
      const path = `${surfaceOf(route)}${route.paths[0].replace(/\{\w+\}/, ids[scope])}?q=x&url=/`;
      const call = {
        ...(route.body && { body: feature === 'mcp' ? PING : CLICK }),
      };
      const own = `${feature}Enabled`;
      const other = feature === 'search' ? 'chatEnabled' : 'searchEnabled';
      const ask = (by = visitor) => by(route.method.toUpperCase(), path, call);
      await open(scope);
      expect((await ask()).status).toBe(route.status);
      await open(scope, { [String(other)]: false });
      expect((await ask()).status).not.toBe(403);
      await open(scope, { [String(own)]: false });
      for (const by of [visitor, member])
        expect(await ask(by)).toMatchObject({ status: 403, body: { code: 'feature_disabled' } });
      await open(scope, { enabled: false });
      for (const by of [visitor, foreign])
        expect(await ask(by)).toMatchObject({ status: 403, body: { code: 'feature_disabled' } });
      expect((await ask(member)).headers.get('cache-control')).toBe('private, no-store');
      expect((await ask(member)).status).toBe(route.status);
      await open(scope);
      await service.setPlan(service.ready.orgId, 'pro');
      const onPro = await ask();
      await service.setPlan(service.ready.orgId, 'enterprise');
      expect(onPro.status === 403).toBe(scope === 'group');
    },
  );
});
