import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type SitePage, type WebSite, webSite } from '../support/web-site.ts';

type Log = { readonly path: string | undefined; readonly etag: string | undefined; readonly status: number }[];

const page = (name: string, links: readonly string[] = []) =>
  htmlPage(`All about ${name}`, `Here ${name} is described, and nothing else of this kind.`, links);

/** A page with an ETag that changes with its text. */
const versioned =
  (log: Log, text: () => string, headers: Readonly<Record<string, string>> = {}): SitePage =>
  (request: IncomingMessage, response) => {
    const etag = `"${text().length}"`;
    const ifNoneMatch = request.headers['if-none-match'];
    const status = ifNoneMatch === etag ? 304 : 200;
    log.push({ path: request.url, etag: ifNoneMatch, status });
    response.writeHead(status, { 'Content-Type': 'text/html', ETag: etag, ...headers });
    response.end(status === 304 ? undefined : text());
  };

describe('a second crawl', () => {
  let service: TestApi;
  let site: WebSite;
  const log: Log = [];

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    site = await webSite({});
  });
  afterAll(async () => {
    await service.end();
    await site.close();
  });

  const crawl = async (siteId: string): Promise<Json> => {
    log.length = 0;
    return service.ended(await service.startCrawl(siteId));
  };
  const outcomes = async ({ jobId }: Json): Promise<Record<string, string>> => {
    const { body } = await service.api('GET', `/jobs/${jobId}/pages?limit=200`);
    const entries = listOf(body.pages).map(({ url, outcome, status }) => [
      String(url).slice(site.origin.length),
      `${outcome} ${status}`,
    ]);
    return Object.fromEntries(entries);
  };

  it('fetches conditionally, and follows the known links of unchanged pages', async () => {
    let news = page('the news');
    site.pages
      .set(
        '/',
        versioned(log, () => page('the start', ['/a', '/news', '/hidden'])),
      )
      .set(
        '/a',
        versioned(log, () => page('a', ['/b'])),
      )
      .set(
        '/b',
        versioned(log, () => page('b'), { 'X-Robots-Tag': 'nofollow' }),
      )
      .set(
        '/news',
        versioned(log, () => news),
      )
      .set(
        '/hidden',
        versioned(log, () => page('hidden').replace('</head>', '<meta name="robots" content="noindex"></head>')),
      );
    const siteId = await service.createSite(site.origin);
    expect(await crawl(siteId)).toMatchObject({ pagesProcessed: 4, pagesSkipped: 1 });
    expect(log.every(({ etag }) => etag === undefined)).toBe(true);
    news = page('the latest news, which are longer');
    expect(await outcomes(await crawl(siteId))).toEqual({
      '/': 'unchanged 304',
      '/a': 'unchanged 304',
      '/b': 'unchanged 304',
      '/news': 'indexed 200',
      '/hidden': 'skipped 200',
    });
    expect(log.filter(({ etag }) => etag !== undefined)).toHaveLength(4);
    expect(log.find(({ path }) => path === '/hidden')?.etag).toBeUndefined();
    const { body } = await service.api('GET', `/sites/${siteId}`);
    expect(body).toMatchObject({ pageCount: 4 });
  });

  it.each([
    ['with validators', (text: () => string) => versioned(log, text)],
    [
      'without validators',
      (text: () => string): SitePage =>
        (_, response) =>
          void response.end(text()),
    ],
  ])('follows the latest links of an otherwise unchanged page, %s', async (_, served) => {
    let links = ['/old'];
    const start = () =>
      page('a start with links', links).replace(
        /<ul>.*<\/ul>/s,
        (list) => `<nav>${list.replace(/to [^<]*/g, 'on')}</nav>`,
      );
    site.pages.clear();
    site.pages.set('/', served(start)).set('/old', page('old')).set('/newer', page('new'));
    const siteId = await service.createSite(site.origin);
    expect(await outcomes(await crawl(siteId))).toEqual({ '/': 'indexed 200', '/old': 'indexed 200' });
    links = ['/newer'];
    expect(await outcomes(await crawl(siteId))).toEqual({ '/': 'unchanged 200', '/newer': 'indexed 200' });
    expect(Object.keys(await outcomes(await crawl(siteId))).sort()).toEqual(['/', '/newer']);
  });

  it('indexes pages that have swapped their texts', async () => {
    const texts = [page('the first'), page('the second')] as const;
    site.pages.clear();
    site.pages
      .set('/', page('a start of two', ['/1', '/2']))
      .set('/1', texts[0])
      .set('/2', texts[1]);
    const siteId = await service.createSite(site.origin);
    await crawl(siteId);
    site.pages.set('/1', texts[1]).set('/2', texts[0]);
    const job = await crawl(siteId);
    expect(job).toMatchObject({ status: 'completed', endReason: 'done' });
    expect(await outcomes(job)).toEqual({ '/': 'unchanged 200', '/1': 'indexed 200', '/2': 'indexed 200' });
  });

  it('a second crawl waits with all URLs as long as a busy server demands, but not for hours', async () => {
    const starts: number[] = [];
    let refusals = 1;
    const busy: SitePage = (_, response) => {
      starts.push(Date.now());
      if (refusals-- > 0) response.writeHead(429, { 'Retry-After': '2' }).end();
      else response.end(page('busy'));
    };
    const other: SitePage = (request, response) => {
      starts.push(Date.now());
      response.end(page(`other ${request.url}`));
    };
    site.pages.clear();
    site.pages.set('/', page('a busy start', ['/busy', '/closed', '/x1', '/x2', '/x3', '/x4', '/x5', '/x6', '/x7']));
    site.pages.set('/busy', busy);
    site.pages.set('/closed', (_, response) => void response.writeHead(503, { 'Retry-After': '9999' }).end());
    for (let i = 1; i <= 7; i++) site.pages.set(`/x${i}`, other);
    const job = await service.ended(await service.startCrawl(await service.createSite(site.origin)));
    expect(job).toMatchObject({ status: 'completed', pagesProcessed: 9, pagesErrored: 1 });
    const { body } = await service.api('GET', `/jobs/${job.jobId}/pages?outcome=failed`);
    expect(listOf(body.pages)).toMatchObject([{ url: `${site.origin}/closed`, reason: 'unavailable', status: 503 }]);
    const refusedAt = starts[0] ?? 0;
    const meanwhile = starts.filter((time) => time > refusedAt + 500 && time < refusedAt + 1900);
    expect(meanwhile).toEqual([]);
  });
});
