import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run } from '../support/admin-command.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const PAGES = 120;

/** A site that is slow except for the first page. */
function slowSite(): Promise<WebSite> {
  const paths = Array.from({ length: PAGES }, (_, i) => `/${i}`);
  const slowly = (path: string) => (_: unknown, response: ServerResponse) => {
    response.setHeader('Content-Type', 'text/html');
    setTimeout(() => response.end(htmlPage(`Page ${path}`, `This page has the number ${path}.`)), 40);
  };
  const pages = Object.fromEntries(paths.map((path) => [path, slowly(path)]));
  return webSite({ ...pages, '/': htmlPage('Many', 'Many pages.', paths) });
}

describe('npm start', () => {
  let service: LocalService;
  let web: WebSite;

  beforeAll(async () => {
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
    web = await slowSite();
  });
  afterAll(async () => {
    await service.end();
    await web.close();
  });

  const file = (name: string): string => join(service.dataDir, name);
  const modeOf = (name: string): string => (statSync(file(name)).mode & 0o777).toString(8);

  it('writes its addresses to a file that only the user can read', () => {
    const ready = JSON.parse(readFileSync(file('ready.json'), 'utf8'));
    const { port } = new URL(ready.baseUrl);
    expect(ready).toEqual({
      baseUrl: `http://127.0.0.1:${port}/api`,
      publicUrl: `http://127.0.0.1:${port}/v1`,
      dashboardUrl: `http://127.0.0.1:${port}/`,
      signInUrl: expect.stringMatching(new RegExp(`^http://127.0.0.1:${port}/app#token=[\\w-]{43}$`)),
      orgId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      apiKey: expect.stringMatching(/^ssk_/),
    });
    for (const name of ['ready.json', 'local-key', 'site-search.sqlite'])
      expect([name, modeOf(name)]).toEqual([name, '600']);
    expect(readFileSync(file('local-key'), 'utf8').trim()).toBe(ready.apiKey);
  });

  it('stores only hashes of keys', () => {
    const secret = service.ready.apiKey.split('_').slice(2).join('_');
    const stored = readdirSync(service.dataDir).filter((name) => name.startsWith('site-search.sqlite'));
    expect(stored.length).toBeGreaterThan(0);
    for (const name of stored) expect(readFileSync(file(name)).includes(secret)).toBe(false);
  });

  it('makes no demo with --no-demo', async () => {
    const { dashboardUrl, apiKey } = service.ready;
    expect((await fetch(`${dashboardUrl}demo-site.json`)).status).toBe(404);
    const { body } = await service.client(apiKey)('GET', '/api/sites');
    expect(body.sites).toEqual([]);
  });

  it('refuses a data folder that another server uses', async () => {
    const { code, stderr } = await run('local', ['--port', '0', '--data', service.dataDir]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^A server is running on .*: stop it, or name another folder with --data\n$/);
    expect(existsSync(file('ready.json'))).toBe(true);
    expect((await service.api('GET', '/sites')).status).toBe(200);
  });

  it('starts in spite of a lock file that holds garbage', async () => {
    const siteId = await service.createSite('https://docs.example/');
    await service.kill('SIGKILL');
    writeFileSync(file('server.lock'), 'garbage '.repeat(1000));
    await service.restart();
    expect((await service.api('GET', `/sites/${siteId}`)).status).toBe(200);
  });

  it('stops during a crawl within 5 s, and continues it at the next start', async () => {
    const siteId = await service.createSite(web.origin, { maxPages: 200 });
    const jobId = await service.startCrawl(siteId);
    await eventually(async () => web.requests.length > 20);
    const { apiKey, orgId } = service.ready;
    const asked = performance.now();
    expect(await service.kill('SIGTERM')).toBe(0);
    expect(performance.now() - asked).toBeLessThan(5000);
    expect(existsSync(file('ready.json'))).toBe(false);
    expect(web.requests.length).toBeLessThan(PAGES);
    await service.restart();
    expect(service.ready).toMatchObject({ apiKey, orgId });
    expect(await service.ended(jobId)).toMatchObject({
      status: 'completed',
      pagesProcessed: PAGES + 1,
      pagesErrored: 0,
    });
    const fetched = web.requests.filter((path) => path !== '/robots.txt' && path !== '/sitemap.xml');
    expect(new Set(fetched).size).toBe(PAGES + 1);
    expect(fetched.length).toBeLessThan(PAGES + 40); // only pages in flight at the stop are fetched twice
  });

  it('stops cleanly at two SIGINTs, from the terminal and from npm', async () => {
    const asked = performance.now();
    const code = service.kill('SIGINT');
    await eventually(async () => !existsSync(file('ready.json')));
    void service.kill('SIGINT');
    expect(await code).toBe(0);
    expect(performance.now() - asked).toBeLessThan(4000); // all threads ended by themselves
    expect(existsSync(file('site-search.sqlite-wal'))).toBe(false);
  });
});

it('npm start stops the service when npm is stopped, though a shell is between them', async () => {
  const folder = temporaryFolder();
  const file = (name: string): string => join(folder.path, name);
  const npm = spawn('npm', ['start', '--silent', '--', '--port', '0', '--no-demo', '--data', folder.path], {
    cwd: new URL('../../', import.meta.url),
    env: { PATH: process.env.PATH },
    stdio: 'ignore',
  });
  await eventually(async () => existsSync(file('ready.json')), 50_000);
  npm.kill('SIGTERM');
  await eventually(async () => !existsSync(file('ready.json')) && !existsSync(file('site-search.sqlite-wal')));
  folder.remove();
});
