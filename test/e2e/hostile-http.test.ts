import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, listOf } from '../support/answer.ts';
import { eventually } from '../support/eventually.ts';
import { BODIES, CHARSETS, CODINGS, type HostileCase, STATUSES } from '../support/hostile-answers.ts';
import { LocalService } from '../support/local-service.ts';
import { type RawServer, rawServer } from '../support/raw-server.ts';
import { htmlPage } from '../support/web-site.ts';

/** Enough for a busy machine; a quiet one needs a few seconds. */
const LIMIT_MS = 60_000;
const CASES = [...CHARSETS, ...CODINGS, ...BODIES, ...STATUSES];
const pathOf = (hostile: HostileCase): string => `/case/${CASES.indexOf(hostile)}`;
const LOOPS = { '/loop/self': '/loop/self', '/loop/a': '/loop/b', '/loop/b': '/loop/a' };
const CHAIN = Object.fromEntries(Array.from({ length: 9 }, (_, hop) => [`/chain/${hop}`, `/chain/${hop + 1}`]));
const redirect = (to: string) => `HTTP/1.1 302 Found\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`;

const START_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: a=b';

function hostileSite(): Parameters<typeof rawServer>[0] {
  const links = [...CASES.map(pathOf), '/loop/self', '/loop/a', '/chain/0'];
  return {
    '/': `${START_HEAD}\r\n\r\n${htmlPage('Start', 'It begins.', links)}`,
    ...Object.fromEntries(CASES.map((hostile) => [pathOf(hostile), hostile.answer])),
    ...Object.fromEntries(Object.entries({ ...LOOPS, ...CHAIN }).map(([from, to]) => [from, redirect(to)])),
  };
}

describe('a crawl of a hostile server', () => {
  let service: LocalService;
  let server: RawServer;
  let job: Json;
  let ends: ReadonlyMap<string, Json>;
  let titles: ReadonlyMap<string, string>;

  beforeAll(async () => {
    server = await rawServer(hostileSite());
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
    const siteId = await service.createSite(server.origin, { maxPages: 1000 });
    job = await service.ended(await service.startCrawl(siteId), LIMIT_MS);
    const listed = await every(`/jobs/${job.jobId}/pages`, 'pages');
    ends = new Map(listed.map((end) => [pathIn(end), end]));
    expect(ends.size).toBe(listed.length);
    const pages = await every(`/sites/${siteId}/pages`, 'items');
    titles = new Map(pages.map((page) => [pathIn(page), String(page.title)]));
    expect(titles.size).toBe(pages.length);
  }, LIMIT_MS);
  afterAll(async () => {
    await service.end();
    await server.close();
  });

  const pathIn = ({ url }: Json): string => String(url).slice(server.origin.length);

  async function every(path: string, list: string): Promise<readonly Json[]> {
    const found: Json[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await service.api('GET', `${path}?limit=200${cursor}`);
      found.push(...listOf(body[list]));
      if (String(body.hasMore) !== 'true') return found;
      cursor = `&cursor=${encodeURIComponent(String(body.nextCursor))}`;
    }
  }

  it.each(CASES.map((hostile) => [hostile.name, hostile] as const))('handles %s', (_, hostile) => {
    const path = pathOf(hostile);
    const { outcome, reason } = ends.get(path) ?? {};
    const title = titles.get(path);
    expect('title' in hostile.ends ? { outcome, title } : { outcome, reason, title }).toEqual(
      'title' in hostile.ends ? { outcome: 'indexed', ...hostile.ends } : { ...hostile.ends, title: undefined },
    );
  });

  it('stops at redirect loops and at long chains', () => {
    const reasonOf = (path: string) => ends.get(path)?.reason;
    expect(reasonOf('/loop/self')).toBe('redirect_loop');
    expect(['/loop/a', '/loop/b'].map(reasonOf)).toEqual(['redirect', 'redirect_loop']);
    expect([0, 1, 2, 3, 4, 5].map((hop) => reasonOf(`/chain/${hop}`))).toEqual([
      ...['redirect', 'redirect', 'redirect', 'redirect', 'redirect'],
      'redirect_loop',
    ]);
    expect(ends.has('/chain/6')).toBe(false);
  });

  it('records one outcome per URL, and its counters add up', () => {
    const count = (...outcomes: readonly string[]) =>
      [...ends.values()].filter(({ outcome }) => outcomes.includes(String(outcome))).length;
    expect(job).toMatchObject({
      status: 'completed',
      pagesDiscovered: ends.size,
      pagesProcessed: count('indexed'),
      pagesSkipped: count('skipped', 'duplicate'),
      pagesErrored: count('gone', 'failed'),
    });
    expect(count('indexed', 'skipped', 'duplicate', 'gone', 'failed')).toBe(ends.size);
    const answered = [...ends.values()].filter(
      ({ outcome, status }) => String(outcome) === 'indexed' || status === (200 as unknown),
    );
    expect(job.pagesCrawled).toBe(answered.length);
    expect(titles.size).toBe(count('indexed'));
  });

  it('fetches each page once unless it fails', () => {
    const asked = server.requests
      .map(({ path }) => path)
      .filter((path) => String(ends.get(path)?.outcome) !== 'failed');
    expect(asked.length).toBe(new Set(asked).size);
  });

  it('sends GET with its own headers and no cookie', () => {
    for (const { method, headers } of server.requests) {
      expect(method).toBe('GET');
      expect(headers['accept-encoding']).toBe('gzip, deflate, br, zstd');
      expect(headers['user-agent']).toMatch(/^SiteSearchBot\/1\.0\b/);
      expect(headers).not.toHaveProperty('cookie');
      expect(headers).not.toHaveProperty('referer');
    }
  });

  it('leaves no connection open', async () => {
    await eventually(async () => server.connections.open === 0);
  });
});
