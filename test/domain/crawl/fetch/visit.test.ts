import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pageReader } from '../../../../lambdas/aws/page-reader.ts';
import { httpFetcher } from '../../../../lambdas/connectors/fetcher/http-fetcher.ts';
import { visitPage } from '../../../../lambdas/domain/crawl/fetch/visit.ts';
import type { Visit } from '../../../../lambdas/domain/crawl/fetch/visit-result.ts';
import { urlFilter } from '../../../../lambdas/domain/crawl/frontier/url-filter.ts';
import type { QueuedUrl } from '../../../../lambdas/domain/crawl/jobs/url-rows.ts';
import type { RegisteredPage } from '../../../../lambdas/domain/pages/page-registry.ts';
import type { PageFetcher } from '../../../../lambdas/domain/ports/page-fetcher.ts';
import { NEW_CRAWLER_CONFIG } from '../../../../lambdas/domain/sites/site-settings.ts';
import { parseRobots } from '../../../../lambdas/text/web/robots.ts';
import { urlHash } from '../../../../lambdas/text/web/url.ts';
import { htmlPage, type WebSite, webSite } from '../../../support/web-site.ts';

const NO_FIELDS = { fields: [], version: undefined };

const inHead = (html: string, tag: string): string => html.replace('</head>', `${tag}</head>`);
const answering =
  (status: number, headers: Readonly<Record<string, string>>, body: string | Uint8Array = '') =>
  (_: unknown, response: ServerResponse) =>
    void response.writeHead(status, headers).end(body);

describe('a visit', () => {
  let web: WebSite;
  let fetcher: PageFetcher;

  beforeAll(async () => {
    web = await webSite({});
    fetcher = httpFetcher({ userAgent: 'test', allowHosts: ['127.0.0.1'], connectionsPerHost: 2 });
  });
  beforeEach(() => {
    web.requests.length = 0;
  });
  afterAll(async () => {
    await pageReader.close();
    await fetcher.close();
    await web.close();
  });

  const visited = (
    path: string,
    {
      robots,
      stored,
      ...more
    }: Partial<QueuedUrl> & { readonly robots?: string; readonly stored?: RegisteredPage } = {},
  ): Promise<Visit> => {
    const url = web.origin + path;
    const queued = { url, urlHash: urlHash(url), depth: 2, ...more };
    const filter = urlFilter({ baseUrl: `${web.origin}/`, config: NEW_CRAWLER_CONFIG });
    const rules = {
      filter,
      fields: NO_FIELDS,
      selection: {},
      robots: robots === undefined ? undefined : parseRobots(robots),
    };
    const { signal } = new AbortController();
    return visitPage(queued, stored, { rules, fetcher, pageReader, clock: Date.now, signal });
  };
  const pathsIn = ({ found }: Visit) => found.map(({ url }) => url.replace(web.origin, ''));
  const page = htmlPage('A page', 'It has a text of its own.', [
    '/next',
    'beside',
    '/next#part',
    '?q=1',
    'https://elsewhere.example/',
  ]);

  it('of a page returns its content and its links to the same origin, one level deeper', async () => {
    web.pages.set('/dir/page', page);
    const found = await visited('/dir/page');
    expect(found).toMatchObject({ fetched: true, answered: true, content: { title: 'A page', language: 'en' } });
    expect(pathsIn(found)).toEqual(expect.arrayContaining(['/next', '/dir/beside', '/dir/page?q=1']));
    expect(pathsIn(found).join()).not.toContain('elsewhere');
    for (const each of found.found) expect(each).toMatchObject({ depth: 3, foundOn: `${web.origin}/dir/page` });
  });

  it('sends no request if robots.txt forbids it', async () => {
    const skipped = await visited('/secret', { robots: 'User-agent: *\nDisallow: /secret' });
    expect(skipped).toMatchObject({
      fetched: false,
      answered: false,
      found: [],
      ending: { outcome: 'skipped', reason: 'robots' },
    });
    expect(web.requests).toEqual([]);
    expect(await visited('/open', { robots: 'User-agent: *\nDisallow: /secret' })).toMatchObject({ fetched: true });
  });

  it.each([
    [404, { outcome: 'gone', reason: '404', status: 404 }],
    [410, { outcome: 'gone', reason: '410', status: 410 }],
    [401, { outcome: 'failed', reason: 'http_status', status: 401 }],
    [403, { outcome: 'failed', reason: 'http_status', status: 403 }],
    [500, { outcome: 'failed', reason: 'http_status', status: 500 }],
    [204, { outcome: 'failed', reason: 'http_status', status: 204 }],
  ])('answered with %i ends as %j, whatever the body says', async (status, ending) => {
    web.pages.set('/status', answering(status, { 'Content-Type': 'text/html' }, status === 204 ? '' : page));
    expect(await visited('/status')).toMatchObject({ fetched: true, answered: false, found: [], ending });
  });

  it.each([
    [429, {}, 0, { next: { tries: 1 }, slowsDown: true }],
    [429, {}, 5, { ending: { outcome: 'failed', reason: 'unavailable', status: 429 }, slowsDown: true }],
    [503, {}, 1, { next: { tries: 2 }, refusal: { status: 503 } }],
    [503, { 'Retry-After': '7' }, 0, { next: { tries: 1 }, slowsDown: true }],
    [503, {}, 2, { ending: { outcome: 'failed', reason: 'unavailable', status: 503 } }],
    [503, { 'Retry-After': '121' }, 0, { ending: { reason: 'unavailable' }, slowsDown: true }],
    [502, {}, 0, { next: { tries: 1 } }],
    [504, {}, 1, { ending: { outcome: 'failed', reason: 'http_status', status: 504 } }],
  ])('answered with %i %j after %i tries has the result %j', async (status, headers, tries, expected) => {
    web.pages.set('/busy', answering(status, headers, page));
    const found = await visited('/busy', { tries });
    expect(found).toMatchObject({ answered: false, found: [], ...expected });
  });

  it('sends the validators of a stored page and reports that it has not changed', async () => {
    let conditions: unknown;
    web.pages.set('/stored', (request, response) => {
      const { 'if-none-match': etag, 'if-modified-since': since } = request.headers;
      conditions = { etag, since };
      response.writeHead(etag === '"1"' ? 304 : 200, { 'Content-Type': 'text/html', ETag: '"2"' }).end();
    });
    const stored = { etag: '"1"', lastModified: 'Sun, 01 Nov 2026 00:00:00 GMT' } as RegisteredPage;
    expect(await visited('/stored', { stored })).toMatchObject({ answered: true, stored });
    expect(conditions).toEqual({ etag: '"1"', since: stored.lastModified });
    expect(await visited('/stored', { stored, isUnconditional: true })).not.toHaveProperty('stored');
    expect(conditions).toEqual({});
    web.pages.set('/unasked', answering(304, {}));
    expect(await visited('/unasked')).toMatchObject({
      ending: { outcome: 'failed', reason: 'http_status', status: 304 },
    });
    expect(await visited('/unasked', { stored: { answerHash: 'x' } as RegisteredPage })).toMatchObject({
      ending: { outcome: 'failed', reason: 'http_status', status: 304 },
    });
  });

  it.each([
    ['the same answer', { 'Content-Type': 'text/html', Date: 'later', ETag: '"new"' }, page, true],
    ['another text', { 'Content-Type': 'text/html' }, page.replace('</body>', '<p>More.</p></body>'), false],
    ['another type', { 'Content-Type': 'text/html; charset=latin1' }, page, false],
    ['another directive', { 'Content-Type': 'text/html', 'X-Robots-Tag': 'nofollow' }, page, false],
  ])(
    'of a server without validators, %s is %j; the stored page is valid: %j',
    async (_, headers, body, isUnchanged) => {
      web.pages.set('/silent', answering(200, { 'Content-Type': 'text/html' }, page));
      const first = await visited('/silent');
      const stored = { urlHash: 'x', ...('validators' in first && first.validators) } as RegisteredPage;
      expect(stored.answerHash).toMatch(/^[\w-]{43}$/);
      web.pages.set('/silent', answering(200, headers, body));
      const second = await visited('/silent', { stored });
      expect('stored' in second && second.stored === stored).toBe(isUnchanged);
      expect('content' in second).toBe(!isUnchanged);
      expect(second).toMatchObject({ answered: true, status: 200 });
      const { ETag: etag } = headers as { readonly ETag?: string };
      expect('validators' in second && second.validators.etag).toBe(etag);
      expect(await visited('/silent', { stored, isUnconditional: true })).toHaveProperty('content');
    },
  );

  it('returns the validators of a page and the directives of its header', async () => {
    const headers = { 'Content-Type': 'text/html', ETag: '"3"', 'X-Robots-Tag': 'nofollow' };
    web.pages.set('/valid', answering(200, headers, page));
    expect(await visited('/valid')).toMatchObject({
      validators: { etag: '"3"' },
      content: { nofollow: true },
      found: [],
    });
  });

  it('recognises a page that says that it does not exist', async () => {
    web.pages.set('/lost', htmlPage('Page not found', 'Sorry, we looked everywhere.', ['/']));
    expect(await visited('/lost')).toMatchObject({ ending: { outcome: 'skipped', reason: 'soft_404', status: 200 } });
  });

  it.each([301, 302, 303, 307, 308])('follows a redirect by %i to the page at the same depth', async (status) => {
    web.pages.set('/old', answering(status, { Location: 'new?utm_source=x#part' }));
    const redirected = await visited('/old');
    expect(redirected).toMatchObject({
      answered: false,
      found: [{ url: `${web.origin}/new`, depth: 2, foundOn: `${web.origin}/old` }],
      ending: { outcome: 'skipped', reason: 'redirect', status, target: `${web.origin}/new` },
    });
  });

  it.each([
    ['without a target', {}, 'bad_content'],
    ['to a URL that is not of the web', { Location: 'mailto:me@example.org' }, 'bad_content'],
    ['to itself', { Location: '/loop' }, 'redirect_loop'],
  ])('fails at a redirect %s', async (_, headers, reason) => {
    web.pages.set('/loop', answering(302, headers));
    expect(await visited('/loop')).toMatchObject({ found: [], ending: { outcome: 'failed', reason } });
  });

  it('fails at the sixth redirect in a row', async () => {
    web.pages.set('/hop', answering(302, { Location: '/hop2' }));
    const via = ['a', 'b', 'c', 'd'];
    const found = [{ via: [...via, urlHash(`${web.origin}/hop`)] }];
    expect(await visited('/hop', { via })).toMatchObject({ ending: { reason: 'redirect' }, found });
    const loop = { ending: { reason: 'redirect_loop' }, found: [] };
    expect(await visited('/hop', { via: [...via, 'e'] })).toMatchObject(loop);
    expect(await visited('/hop', { via: [urlHash(`${web.origin}/hop2`)] })).toMatchObject(loop);
  });

  it.each([
    ['<meta name="robots" content="noindex">', {}, 'noindex', true],
    ['<meta name="robots" content="none">', {}, 'noindex', false],
    ['', { 'X-Robots-Tag': 'noindex' }, 'noindex', true],
    ['', { 'X-Robots-Tag': 'NOINDEX, nofollow' }, 'noindex', false],
    ['', { 'X-Robots-Tag': 'otherbot: noindex' }, undefined, true],
    ['<meta name="robots" content="nofollow">', {}, undefined, false],
  ])('obeys %s %j', async (tag, headers, reason, follows) => {
    web.pages.set('/rules', answering(200, { 'Content-Type': 'text/html', ...headers }, inHead(page, tag)));
    const found = await visited('/rules');
    expect('ending' in found ? found.ending.reason : undefined).toBe(reason);
    expect(found.found.length > 0).toBe(follows);
  });

  it.each([
    ['/original', 'canonical', '/original'],
    ['/copy', undefined, undefined],
    ['/copy?utm_source=x#top', undefined, undefined],
    ['https://elsewhere.example/original', undefined, undefined],
    ['http://[', undefined, undefined],
  ])('of a page whose canonical is %s ends as %s', async (href, reason, target) => {
    web.pages.set('/copy', inHead(page, `<link rel="canonical" href="${href}">`));
    const found = await visited('/copy');
    if (reason === undefined) return void expect(found).toHaveProperty('content');
    expect(found).toMatchObject({ ending: { outcome: 'skipped', reason, target: web.origin + target } });
    expect(pathsIn(found)).toEqual(expect.arrayContaining([target, '/next']));
    expect(await visited('/copy', { isOrphaned: true })).toHaveProperty('content');
  });

  it.each([
    ['0; url=/there', 'redirect'],
    ['5;URL=/there', 'redirect'],
    ['6; url=/there', undefined],
    ['0', undefined],
    ['0; url=/refresh', undefined],
  ])('treats a refresh of "%s" as %s', async (content, reason) => {
    web.pages.set('/refresh', inHead(page, `<meta http-equiv="refresh" content="${content}">`));
    const found = await visited('/refresh');
    expect('ending' in found ? found.ending.reason : undefined).toBe(reason);
  });

  it('drops the answer hash of a page whose directives came with a 304', async () => {
    const stored = { etag: '"1"', answerHash: 'x' } as RegisteredPage;
    web.pages.set('/directed', answering(304, { 'X-Robots-Tag': 'nofollow' }));
    expect(await visited('/directed', { stored })).toMatchObject({ stored, validators: { etag: '"1"' } });
    expect(await visited('/directed', { stored })).not.toHaveProperty('validators.answerHash');
    web.pages.set('/directed', answering(304, {}));
    expect(await visited('/directed', { stored })).toHaveProperty('validators.answerHash', 'x');
  });

  it.each([
    ['ETag', '*', {}],
    ['ETag', 'W/"1"', { etag: 'W/"1"' }],
    ['Last-Modified', new Date(Date.now() + 3_600_000).toUTCString(), {}],
    ['Last-Modified', 'Sat, 01 Jan 2000 00:00:00 GMT', { lastModified: 'Sat, 01 Jan 2000 00:00:00 GMT' }],
  ])('uses %s %s as a validator only if a server can tell a change by it', async (name, value, expected) => {
    web.pages.set('/validated', answering(200, { 'Content-Type': 'text/html', [name]: value }, page));
    const answered = await visited('/validated');
    expect('validators' in answered && answered.validators).toEqual({ ...expected, answerHash: expect.any(String) });
  });

  it('follows a slow refresh as a link', async () => {
    web.pages.set('/slow', inHead(page, '<meta http-equiv="refresh" content="6; url=/there">'));
    expect(pathsIn(await visited('/slow'))).toEqual(expect.arrayContaining(['/there', '/next']));
    web.pages.set(
      '/slow',
      inHead(page, '<meta http-equiv="refresh" content="6; url=/there"><meta name="robots" content="nofollow">'),
    );
    expect(pathsIn(await visited('/slow'))).toEqual([]);
  });

  it.each([
    ['text/html; charset=utf-8', page, 'content'],
    ['application/xhtml+xml', page, 'content'],
    ['text/plain', 'Plain words.', 'content'],
    ['text/markdown', '# Title\n\nWords.', 'content'],
    ['application/pdf', '%PDF-1.7', 'broken_pdf'],
    ['image/png', 'PNG', 'content_type'],
    ['application/json', '{}', 'content_type'],
    ['text/html', '<!doctype html><title></title><body></body>', 'empty'],
    ['text/html', '', 'empty'],
  ])('reads %s %#', async (type, body, expected) => {
    web.pages.set('/typed', answering(200, { 'Content-Type': type }, body));
    const found = await visited('/typed');
    expect('ending' in found ? found.ending.reason : 'content').toBe(expected);
    expect(found.answered).toBe(true);
  });

  it.each([
    ['a PNG', '\x89PNG\r\n\x1a\n', 'content_type'],
    ['a JPEG', '\xff\xd8\xff\xe0 JFIF', 'content_type'],
    ['a GIF', 'GIF89a and words', 'content_type'],
    ['a WebP', 'RIFF\x24\x10\x01\x02WEBPVP8 ', 'content_type'],
    ['an AVIF', '\0\0\0\x20ftypavif', 'content_type'],
    ['a PDF', '%PDF-1.7 and words', 'content_type'],
    ['an archive', 'PK\x03\x04 and words', 'content_type'],
    ['another file', 'words\0\x01\x02 and words', 'content_type'],
    ['HTML with a NUL', page.replace('</title>', '\0</title>'), 'content'],
    ['text about a PNG', 'PNG and GIF89a are formats of images.', 'content'],
  ])('reads %s that claims to be HTML or text as what it is', async (_, body, expected) => {
    for (const type of ['text/html', 'text/plain', 'text/html; charset=utf-8']) {
      web.pages.set('/typed', answering(200, { 'Content-Type': type }, Buffer.from(body, 'latin1')));
      const found = await visited('/typed');
      expect('ending' in found ? found.ending.reason : 'content').toBe(expected);
    }
  });

  it('reads UTF-16', async () => {
    for (const type of ['text/html; charset=utf-16le', 'text/html']) {
      const body = Buffer.from(type === 'text/html' ? `\ufeff${page}` : page, 'utf16le');
      web.pages.set('/typed', answering(200, { 'Content-Type': type }, body));
      expect(await visited('/typed')).toMatchObject({ content: { title: 'A page' } });
    }
  });

  it('of a server that names no type looks at the content', async () => {
    web.pages.set('/untyped', (_, response) => void response.end(page));
    expect(await visited('/untyped')).toMatchObject({ content: { title: 'A page' } });
  });

  it('fails if the server drops the connection, sends too much or does not exist', async () => {
    web.pages.set(
      '/broken',
      (_, response) => void response.writeHead(200, { 'Content-Length': 1000 }).end('x', () => response.destroy()),
    );
    expect(await visited('/broken')).toMatchObject({ next: { tries: 1 } });
    expect(await visited('/broken', { tries: 1 })).toMatchObject({
      answered: false,
      ending: { outcome: 'failed', reason: 'connection' },
    });
    web.pages.set('/huge', answering(200, { 'Content-Type': 'text/html' }, ' '.repeat(10 * 1024 * 1024 + 1)));
    expect(await visited('/huge')).toMatchObject({
      answered: false,
      ending: { outcome: 'failed', reason: 'too_large' },
    });
    const strict = httpFetcher({ userAgent: 'test', allowHosts: [], connectionsPerHost: 1 });
    const queued = { url: `${web.origin}/`, urlHash: 'x', depth: 0 };
    const filter = urlFilter({ baseUrl: queued.url, config: NEW_CRAWLER_CONFIG });
    const rules = { filter, robots: undefined, fields: NO_FIELDS, selection: {} };
    const { signal } = new AbortController();
    const visiting = { rules, fetcher: strict, pageReader, clock: Date.now, signal };
    const refused = await visitPage(queued, undefined, visiting);
    expect(refused).toMatchObject({ ending: { outcome: 'failed', reason: 'private_address' } });
    await strict.close();
  });
});
