import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Overrides } from '../../../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { readSite } from '../../../../lambdas/domain/sites/site.ts';
import { type Crawled, crawlHere, newSite } from '../../../support/crawl-here.ts';
import { table } from '../../../support/memory/stores.ts';
import { virtualTime } from '../../../support/memory/time.ts';
import { type MemoryPage, type MemorySite, memorySite } from '../../../support/memory/web.ts';
import { htmlPage } from '../../../support/web-site.ts';

const [MAX_SECONDS, MAX_REQUESTS] = [180, 25] as const;

type Refused = { readonly status: number; readonly retryAfter?: string };

const refusing =
  ({ status, retryAfter }: Refused): MemoryPage =>
  (_, response) =>
    void response.writeHead(status, retryAfter === undefined ? {} : { 'Retry-After': retryAfter }).end();

const listing = (...links: readonly string[]) => htmlPage('The start', 'Where everything begins.', links);
const page = (name: string) => htmlPage(`All about ${name}`, `Here ${name} is described, and nothing else.`);
const paths = (folder: string, count: number) => Array.from({ length: count }, (_, n) => `/${folder}/${n}`);
const sitemap = (origin: string, urls: readonly string[]) =>
  `<urlset>${urls.map((url) => `<url><loc>${origin}${url}</loc></url>`).join('')}</urlset>`;

describe('a crawl of a site that answers 429 or 503', () => {
  let web: MemorySite;

  let time = virtualTime();
  beforeEach(() => {
    time = virtualTime();
  });

  type Timed = Crawled & { readonly seconds: number; readonly lastError: string | undefined };
  async function crawl(overrides: Overrides = {}): Promise<Timed> {
    const site = await newSite(web.origin);
    const start = time.clock();
    const crawled = await crawlHere(site, { overrides, ...time });
    const record = await readSite(site.siteId, table);
    const lastError = record?.state.lastCrawl?.error;
    return { ...crawled, seconds: (time.clock() - start) / 1000, lastError };
  }
  function expectGivenUp({ job, ends, seconds, lastError }: Timed, sentence: RegExp): void {
    expect(job).toMatchObject({ status: 'failed', endReason: 'unavailable', error: expect.stringMatching(sentence) });
    expect(lastError).toBe(job.error);
    expect(ends[`${web.origin}/`]).toMatch(/^failed unavailable/);
    expect(seconds).toBeLessThan(MAX_SECONDS);
    expect(web.requests.length).toBeLessThanOrEqual(MAX_REQUESTS);
  }
  const everywhere = (refused: Refused): Record<string, MemoryPage> =>
    Object.fromEntries(
      ['/', '/robots.txt', '/sitemap.xml', ...paths('page', 60)].map((path) => [path, refusing(refused)]),
    );

  it.each<[Refused]>([[{ status: 429 }], [{ status: 429, retryAfter: '5' }], [{ status: 429, retryAfter: '100' }]])(
    'gives up if every request is answered %j',
    async (refused) => {
      web = memorySite(everywhere(refused));
      expectGivenUp(await crawl(), /site-\d+\.test answers 429 \(too many requests\) to every request/);
    },
  );

  it.each<[Refused]>([[{ status: 503 }], [{ status: 503, retryAfter: '5' }], [{ status: 503, retryAfter: '60' }]])(
    'gives up if every request but robots.txt is answered %j, whatever its sitemaps name',
    async (refused) => {
      web = memorySite({ ...everywhere(refused), '/robots.txt': '' });
      web.pages.set('/sitemap.xml', sitemap(web.origin, paths('page', 60)));
      expectGivenUp(await crawl(), /answers 503 \(service unavailable\) to every request/);
    },
  );

  it('gives up if its many sitemaps are refused like everything else', async () => {
    const sitemaps = paths('sitemap', 30);
    web = memorySite(everywhere({ status: 429, retryAfter: '5' }));
    for (const path of sitemaps) web.pages.set(path, refusing({ status: 429, retryAfter: '5' }));
    expectGivenUp(await crawl({ sitemaps: sitemaps.map((url) => ({ url, recursive: true })) }), /answers 429/);
  });

  it('gives up if the site begins to refuse everything, and keeps what is indexed', async () => {
    const links = paths('page', 60);
    let answered = 0;
    web = memorySite({ '/': listing(...links) });
    for (const path of links)
      web.pages.set(path, (request, response) => {
        if (++answered > 10) for (const [other] of web.pages) web.pages.set(other, refusing({ status: 429 }));
        response.writeHead(answered > 10 ? 429 : 200, { 'Content-Type': 'text/html' });
        response.end(page(String(request.url)));
      });
    const { job } = await crawl();
    expect(job).toMatchObject({ status: 'failed', endReason: 'unavailable', indexed: 11 });
    expect(job.error).toMatch(/answers 429 .* to every request.* stay searchable\.$/);
    expect(web.requests.length - 13).toBeLessThanOrEqual(MAX_REQUESTS);
  });

  it.each<[string, Refused, readonly string[]]>([
    ['one after the other', { status: 429 }, [...paths('ok', 40), ...paths('busy', 40)]],
    ['in between', { status: 429 }, paths('ok', 40).flatMap((path) => [path, path.replace('ok', 'busy')])],
    ['with a pause', { status: 429, retryAfter: '30' }, [...paths('busy', 40), ...paths('ok', 40)]],
    ['without a pause', { status: 503 }, [...paths('busy', 40), ...paths('ok', 40)]],
  ])('goes on with pages that work if others are refused %s (%j)', async (_, refused, links) => {
    web = memorySite({ '/': listing(...links) });
    for (const path of links) web.pages.set(path, path.startsWith('/busy') ? refusing(refused) : page(path));
    const { job, ends, seconds } = await crawl();
    expect(job).toMatchObject({ status: 'completed', endReason: 'done', indexed: 41, failed: 40 });
    expect(ends[`${web.origin}/busy/0`]).toBe(`failed unavailable ${refused.status}`);
    expect(seconds).toBeLessThan(600);
  });

  it('a crawl waits as long as the server asks, and then indexes all pages', async () => {
    const links = paths('page', 30);
    web = memorySite({ '/': listing(...links) });
    let [from, served] = [time.clock(), 0];
    for (const path of links)
      web.pages.set(path, (request, response) => {
        if (time.clock() - from > 10_000) [from, served] = [time.clock(), 0];
        if (++served > 8) return void response.writeHead(429, { 'Retry-After': '11' }).end();
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(page(String(request.url)));
      });
    expect((await crawl()).job).toMatchObject({ status: 'completed', endReason: 'done', indexed: 31, failed: 0 });
  });

  it.each([
    ['3600', /come back after 20\d\d-\d\d-\d\d \d\d:\d\d UTC/],
    ['1234567890', /come back after 20\d\d-/],
    ['Fri, 01 Jan 2100 00:00:00 GMT', /come back after 2100-01-01 00:00 UTC/],
  ])('ends at once if the start page asks for a pause of %s', async (retryAfter, sentence) => {
    web = memorySite({ '/': refusing({ status: 503, retryAfter }) });
    const timed = await crawl();
    expectGivenUp(timed, sentence);
    expect(timed.job.error).toMatch(/a schedule tries again at its next time/);
    expect(web.requests).toEqual(['/robots.txt', '/sitemap.xml', '/']);
  });

  it.each([429, 503])('ends at once if robots.txt answers %i and asks for a long pause', async (status) => {
    web = memorySite({ '/': page('x'), '/robots.txt': refusing({ status, retryAfter: '121' }) });
    expectGivenUp(await crawl(), /^http:\/\/site-\d+\.test\/robots\.txt answers \d+ .* come back after/);
    expect(web.requests).toEqual(['/robots.txt']);
  });

  it('a crawl continues if another page asks for a long pause: only that page is unavailable', async () => {
    web = memorySite({
      '/': listing('/a', '/b'),
      '/a': refusing({ status: 503, retryAfter: '9999999999' }),
      '/b': page('b'),
    });
    const { job, ends } = await crawl();
    expect(job).toMatchObject({ status: 'completed', endReason: 'done' });
    expect(ends[`${web.origin}/a`]).toBe('failed unavailable 503');
  });

  it.each<[string, MemoryPage, string, RegExp]>([
    ['does not answer', (request) => void request.socket.destroy(), 'connection', /robots\.txt does not answer/],
    ['fails', refusing({ status: 500 }), 'robots_unreachable', /robots\.txt answers 500/],
    [
      'is refused for a while',
      refusing({ status: 503, retryAfter: '5' }),
      'robots_unreachable',
      /robots\.txt answers 503/,
    ],
  ])('names robots.txt if that %s', async (_, robots, endReason, sentence) => {
    web = memorySite({ '/': page('x'), '/robots.txt': robots });
    const { job, lastError } = await crawl();
    expect(job).toMatchObject({ status: 'failed', endReason });
    expect(lastError).toMatch(sentence);
    expect(web.requests).toEqual(['/robots.txt', '/robots.txt', '/robots.txt']);
  });

  it('a crawl reads a robots.txt again that was refused for a moment', async () => {
    let asked = 0;
    web = memorySite({ '/': page('x') });
    web.pages.set(
      '/robots.txt',
      (_, response) =>
        void (++asked === 1 ? response.writeHead(503, { 'Retry-After': '20' }) : response.writeHead(404)).end(),
    );
    const { job, seconds } = await crawl();
    expect(job).toMatchObject({ status: 'completed' });
    expect(seconds).toBeGreaterThan(19);
  });
});
