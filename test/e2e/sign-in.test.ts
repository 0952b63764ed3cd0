import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newSignInToken, takeSignInToken } from '../../local/sqlite/sign-in-token.ts';
import { admin, run } from '../support/admin-command.ts';
import { LocalService } from '../support/local-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

describe('the link that signs in to the dashboard', () => {
  let service: LocalService;
  let web: WebSite;

  beforeAll(async () => {
    web = await webSite({
      '/': htmlPage('Harbour', 'Boats may moor here.', ['/fees']),
      '/fees': htmlPage('Fees', '5'),
    });
    service = await LocalService.start({
      options: ['--no-demo', web.origin],
      env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' },
    });
  });
  afterAll(async () => {
    await service.end();
    await web.close();
  });

  const origin = () => new URL(service.ready.dashboardUrl).origin;
  const tokenOf = (url: string | undefined) => new URL(url ?? '').hash.slice('#token='.length);
  const exchange = async (token: string, headers: Readonly<Record<string, string>> = { Origin: origin() }) => {
    const response = await fetch(`${origin()}/app/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ token }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  it('leads to the crawl of the address that the start was given', async () => {
    const { body } = await service.api('GET', '/sites');
    expect(body.sites).toMatchObject([{ name: new URL(web.origin).host, baseUrl: `${web.origin}/` }]);
    const [, siteId, jobId] = /^\/app\/sites\/([^/]+)\/crawl\/([^/]+)$/.exec(
      new URL(service.ready.signInUrl ?? '').pathname,
    ) ?? [undefined, '', ''];
    const job = await service.ended(String(jobId));
    expect(job).toMatchObject({ siteId, status: 'completed', pagesProcessed: 2 });
  });

  it('is refused to pages of other origins, and to callers that name none', async () => {
    const token = tokenOf(service.ready.signInUrl);
    for (const headers of [
      {},
      { Origin: 'https://evil.example' },
      { Origin: origin(), 'Sec-Fetch-Site': 'cross-site' },
    ])
      expect(await exchange(token, { ...headers })).toMatchObject({
        status: 403,
        body: { code: 'origin_not_allowed' },
      });
  });

  it('gives the local key once', async () => {
    const token = tokenOf(service.ready.signInUrl);
    expect(await exchange(`${token}x`)).toMatchObject({ status: 401 });
    const [first, second] = await Promise.all([exchange(token), exchange(token)]);
    expect([first.status, second.status].toSorted()).toEqual([200, 401]);
    const [given, refused] = first.status === 200 ? [first, second] : [second, first];
    expect(given.body).toEqual({ apiKey: service.ready.apiKey });
    expect(given.headers.get('cache-control')).toBe('no-store');
    expect(refused.body).toMatchObject({ code: 'unauthorized', error: expect.stringContaining('admin -- link') });
  });

  it('is replaced by an admin command', async () => {
    const { url } = await admin(service.dataDir, 'link');
    expect(url).toContain(`${origin()}/app#token=`);
    const stored = readFileSync(join(service.dataDir, 'sign-in'), 'utf8');
    expect(stored).not.toContain(tokenOf(url));
    expect((await exchange(tokenOf(url))).status).toBe(200);
  });

  it('is refused for a minute after many tries', async () => {
    const tries = await Promise.all(Array.from({ length: 25 }, () => exchange('wrong')));
    const limited = tries.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('leads to a site that is there, instead of making a second one', async () => {
    await service.kill('SIGTERM');
    await service.restart();
    const { body } = await service.api('GET', '/sites');
    expect(body.sites).toHaveLength(1);
  });

  it('is gone after a clean stop', async () => {
    await service.kill('SIGTERM');
    expect(existsSync(join(service.dataDir, 'sign-in'))).toBe(false);
    const { code, stderr } = await run('admin', ['--data', service.dataDir, 'link']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^No server runs on .*: start it with npm start\n$/)]);
  });
});

it('a server that other machines reach has no link that signs in', async () => {
  const service = await LocalService.start({ options: ['--no-demo', '--host', '0.0.0.0'] });
  expect(service.ready.signInUrl).toBeUndefined();
  const { status } = await fetch(new URL('/app/session', service.ready.dashboardUrl), { method: 'POST', body: '{}' });
  expect(status).toBe(405);
  await service.end();
});

it('a token is forgotten after an hour', async () => {
  const folder = temporaryFolder();
  let now = 0;
  const clock = () => now;
  const token = await newSignInToken(folder.path, clock);
  now = 3_600_000;
  expect(await takeSignInToken(token, folder.path, clock)).toBe(false);
  now -= 1;
  expect(await takeSignInToken(token, folder.path, clock)).toBe(true);
  expect(await takeSignInToken(token, folder.path, clock)).toBe(false);
  folder.remove();
});
