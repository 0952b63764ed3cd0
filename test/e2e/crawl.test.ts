import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, listOf } from '../support/answer.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';
import { htmlPage, type SitePage, type WebSite, webSite } from '../support/web-site.ts';

const words = ['quartz', 'walnut', 'harbour', 'lantern', 'meadow', 'copper', 'violin', 'glacier', 'saffron', 'anchor'];
const ODD = 'every page describes something else, so no page is a duplicate of another';

function smallSite(): Record<string, string> {
  const pages = words.map((word, i) => [
    `/${word}.html`,
    htmlPage(`All about ${word}`, `The ${word} is described here; ${ODD}. It is number ${i}.`),
  ]);
  const links = words.map((word) => `${word}.html`);
  return {
    '/': htmlPage('Start', 'This is where it begins.', [...links, 'missing.html', 'https://elsewhere.example/']),
    ...Object.fromEntries(pages),
  };
}

describe('a crawl', () => {
  let service: LocalService;
  let site: WebSite;

  beforeAll(async () => {
    site = await webSite(smallSite());
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
  });
  afterAll(async () => {
    await service.end();
    await site.close();
  });

  const crawled = async (baseUrl: string, config: object = {}): Promise<{ siteId: string; job: Json }> => {
    const siteId = await service.createSite(baseUrl, config);
    const job = await service.ended(await service.startCrawl(siteId));
    return { siteId, job };
  };

  it('indexes every page once and reports the outcome of every URL', async () => {
    const { siteId, job } = await crawled(site.origin);
    expect(job).toMatchObject({
      status: 'completed',
      endReason: 'done',
      pagesDiscovered: 12,
      pagesCrawled: 11,
      pagesProcessed: 11,
      pagesErrored: 1,
      pagesSkipped: 0,
    });
    const { body } = await service.api('GET', `/sites/${siteId}/pages?limit=200`);
    expect(listOf(body.items).map(({ url }) => url)).toEqual(
      ['/', ...words.map((word) => `/${word}.html`).sort()].map((path) => site.origin + path),
    );
    const { body: all } = await service.api('GET', `/jobs/${job.jobId}/pages?limit=200`);
    expect(listOf(all.pages)).toHaveLength(12);
    const { body: gone } = await service.api('GET', `/jobs/${job.jobId}/pages?outcome=gone`);
    expect(listOf(gone.pages)).toEqual([
      {
        url: `${site.origin}/missing.html`,
        outcome: 'gone',
        reason: '404',
        status: 404,
        depth: 1,
        foundOn: `${site.origin}/`,
      },
    ]);
    const { body: details } = await service.api('GET', `/sites/${siteId}`);
    expect(details).toMatchObject({ status: 'ready', pageCount: 11 });
  });

  it('makes pages searchable by GET and POST, with snippets', async () => {
    const { siteId } = await crawled(site.origin);
    const got = await service.visit(`/public/sites/${siteId}/search?q=harbour`);
    expect(got.status).toBe(200);
    expect(listOf(got.body.results)[0]).toMatchObject({
      url: `${site.origin}/harbour.html`,
      title: 'All about harbour',
    });
    expect(String(listOf(got.body.results)[0]?.snippet)).toContain('harbour');
    const posted = await service.visit(`/public/sites/${siteId}/search`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'harbour' }),
    });
    expect(listOf(posted.body.results)).toEqual(listOf(got.body.results));
    const nothing = await service.visit(`/public/sites/${siteId}/search?q=zoogkrult+plimp`);
    expect(nothing.body).toMatchObject({ results: [], totalResults: 0 });
  });

  it('does not index an unchanged page again', async () => {
    const { siteId } = await crawled(site.origin);
    const again = await service.ended(await service.startCrawl(siteId));
    const { body } = await service.api('GET', `/jobs/${again.jobId}/pages?outcome=unchanged&limit=200`);
    expect(listOf(body.pages)).toHaveLength(11);
    expect((await service.api('GET', `/sites/${siteId}`)).body).toMatchObject({ pageCount: 11 });
  });

  it('obeys robots.txt, redirects, canonicals, noindex and nofollow', async () => {
    const polite = await webSite({
      '/robots.txt': 'User-agent: sitesearchbot\nDisallow: /secret',
      '/': htmlPage('Rules', 'A start page with many kinds of links.', [
        '/secret.html',
        '/old',
        '/copy',
        '/hidden',
        '/dead-end',
      ]),
      '/secret.html': htmlPage('Secret', 'Never to be fetched.'),
      '/old': (_, response) => void response.writeHead(301, { Location: '/new' }).end(),
      '/new': htmlPage('New', 'This is where the old one leads.'),
      '/copy': htmlPage('Copy', 'A page with a canonical elsewhere.').replace(
        '</head>',
        '<link rel="canonical" href="/original"></head>',
      ),
      '/original': htmlPage('Original', 'The one that counts.'),
      '/hidden': htmlPage('Hidden', 'Not for the index, but its links count.', ['/beyond']).replace(
        '</head>',
        '<meta name="robots" content="noindex"></head>',
      ),
      '/beyond': htmlPage('Beyond', 'Found through a page that is not indexed.'),
      '/dead-end': htmlPage('Dead end', 'Its links are not followed.', ['/unseen']).replace(
        '</head>',
        '<meta name="robots" content="nofollow"></head>',
      ),
      '/unseen': htmlPage('Unseen', 'Never found.'),
    });
    const { job } = await crawled(polite.origin);
    const { body } = await service.api('GET', `/jobs/${job.jobId}/pages?limit=200`);
    const outcomes = Object.fromEntries(
      listOf(body.pages).map(({ url, outcome, reason }) => [
        String(url).slice(polite.origin.length),
        [outcome, reason].filter(Boolean).join(' '),
      ]),
    );
    expect(outcomes).toEqual({
      '/': 'indexed',
      '/secret.html': 'skipped robots',
      '/old': 'skipped redirect',
      '/new': 'indexed',
      '/copy': 'skipped canonical',
      '/original': 'indexed',
      '/hidden': 'skipped noindex',
      '/beyond': 'indexed',
      '/dead-end': 'indexed',
    });
    expect(polite.requests).not.toContain('/secret.html');
    await polite.close();
  });

  it('indexes a page whose canonical is gone, fails or is cyclic', async () => {
    const page = (name: string, canonical: string) =>
      htmlPage(name, `The page ${name} has words of its own.`).replace(
        '</head>',
        `<link rel="canonical" href="${canonical}"></head>`,
      );
    const circular = await webSite({
      '/': htmlPage('Start', 'Pages with canonicals of many kinds.', [
        '/a',
        '/b',
        '/to-gone',
        '/to-redirect',
        '/self',
        '/off-site',
      ]),
      '/a': page('a', '/b'),
      '/b': page('b', '/a'),
      '/to-gone': page('to-gone', '/gone'),
      '/to-redirect': page('to-redirect', '/moved'),
      '/moved': (_, response) => void response.writeHead(301, { Location: '/kept' }).end(),
      '/kept': htmlPage('Kept', 'Where the canonical leads in the end.'),
      '/self': page('self', '/self'),
      '/off-site': page('off-site', 'https://elsewhere.example/'),
    });
    const { job } = await crawled(circular.origin);
    const { body } = await service.api('GET', `/jobs/${job.jobId}/pages?limit=200`);
    const outcomes = Object.fromEntries(
      listOf(body.pages).map(({ url, outcome }) => [String(url).slice(circular.origin.length), outcome]),
    );
    expect(outcomes).toEqual({
      '/': 'indexed',
      '/a': 'indexed',
      '/b': 'indexed',
      '/to-gone': 'indexed',
      '/gone': 'gone',
      '/to-redirect': 'skipped',
      '/moved': 'skipped',
      '/kept': 'indexed',
      '/self': 'indexed',
      '/off-site': 'indexed',
    });
    expect(job).toMatchObject({
      pagesDiscovered: 10,
      pagesProcessed: 7,
      pagesSkipped: 2,
      pagesErrored: 1,
      pagesCrawled: 8,
    });
    await circular.close();
  });

  it('obeys the first 500 KiB of a longer robots.txt', async () => {
    const wordy = await webSite({
      '/robots.txt': `User-agent: *\nDisallow: /private\n${'# more and more\n'.repeat(100_000)}`,
      '/': htmlPage('Start', 'With a page that is private.', ['/private/x']),
      '/private/x': htmlPage('Private', 'Not to be read.'),
    });
    const { job } = await crawled(wordy.origin);
    expect(job).toMatchObject({ pagesProcessed: 1, pagesSkipped: 1 });
    expect(wordy.requests).not.toContain('/private/x');
    await wordy.close();
  });

  it('ends redirect loops and long chains', async () => {
    const endless = await webSite({ '/': htmlPage('Start', 'Redirects of many kinds.', ['/r0', '/self', '/a']) });
    const to =
      (target: string): SitePage =>
      (_, response) =>
        void response.writeHead(302, { Location: target }).end();
    for (let i = 0; i < 20; i++) endless.pages.set(`/r${i}`, to(`/r${i + 1}`));
    endless.pages.set('/self', to('/self')).set('/a', to('/b')).set('/b', to('/a'));
    const { job } = await crawled(endless.origin);
    expect(job).toMatchObject({ status: 'completed', pagesProcessed: 1, pagesErrored: 3, pagesDiscovered: 10 });
    expect(endless.requests).toHaveLength(12); // robots.txt and sitemap.xml too
    const { body } = await service.api('GET', `/jobs/${job.jobId}/pages?outcome=failed&reason=redirect_loop`);
    expect(
      listOf(body.pages)
        .map(({ url }) => url)
        .sort(),
    ).toEqual([`${endless.origin}/b`, `${endless.origin}/r5`, `${endless.origin}/self`]);
    await endless.close();
  });

  it('stops at maxPages and maxDepth, and reports the URLs left over', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [
        `/${i}`,
        htmlPage(`Step ${i}`, `Step number ${words[i]} of a chain.`, [`/${i + 1}`]),
      ]),
    );
    const deep = await webSite({ ...chain, '/': htmlPage('First', 'The chain begins.', ['/0']) });
    const shallow = await crawled(deep.origin, { maxDepth: 2 });
    expect(shallow.job).toMatchObject({ pagesProcessed: 3, pagesSkipped: 1, pagesDiscovered: 4, endReason: 'done' });
    const few = await crawled(site.origin, { maxPages: 5 });
    expect(few.job).toMatchObject({ pagesCrawled: 5, pagesProcessed: 5, pagesDiscovered: 12, endReason: 'limit' });
    const { body } = await service.api('GET', `/jobs/${few.job.jobId}/pages?outcome=skipped&reason=over_limit`);
    const gone = Number(few.job.pagesErrored); // the missing page, if its turn came before the limit
    expect(listOf(body.pages)).toHaveLength(7 - gone);
    expect(few.job.pagesSkipped).toBe(7 - gone);
    await deep.close();
  });

  it('refuses a second one meanwhile with 409, and is cancelled within 5 s', async () => {
    const slow = await webSite({
      '/': htmlPage(
        'Slow',
        'Many slow pages.',
        Array.from({ length: 60 }, (_, i) => `/${i}`),
      ),
      ...Object.fromEntries(
        Array.from({ length: 60 }, (_, i) => [
          `/${i}`,
          (_: unknown, response: { end(body: string): void; setHeader(name: string, value: string): void }) => {
            response.setHeader('Content-Type', 'text/html');
            setTimeout(() => response.end(htmlPage(`Slow ${i}`, `Number ${i} takes its time.`)), 400);
          },
        ]),
      ),
    });
    const siteId = await service.createSite(slow.origin);
    const jobId = await service.startCrawl(siteId);
    const second = await service.api('POST', `/sites/${siteId}/crawl`);
    expect(second).toMatchObject({ status: 409, body: { code: 'crawl_running' } });
    await eventually(async () => slow.requests.length > 5);
    const cancelled = await service.api('DELETE', `/jobs/${jobId}`);
    expect(cancelled.body).toMatchObject({ jobId, status: 'cancelled', endReason: 'cancelled' });
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const asked = slow.requests.length;
    const { body: before } = await service.api('GET', `/sites/${siteId}`);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(slow.requests.length).toBe(asked);
    const { body: after } = await service.api('GET', `/sites/${siteId}`);
    expect(after.pageCount).toBe(before.pageCount);
    expect((await service.api('DELETE', `/jobs/${jobId}`)).body).toEqual(
      (await service.api('GET', `/jobs/${jobId}`)).body,
    );
    await slow.close();
  });

  it('fails with a sentence if the site cannot be crawled', async () => {
    const broken = await webSite({ '/': (_, response) => void response.writeHead(500).end('no'), '/robots.txt': '' });
    const failures = [
      { baseUrl: 'http://10.0.0.1/', code: 'private_address' },
      { baseUrl: 'http://no-such-host.invalid/', code: 'dns' },
      { baseUrl: broken.origin, code: 'http_status' },
    ];
    for (const { baseUrl, code } of failures) {
      const { siteId, job } = await crawled(baseUrl);
      expect(job).toMatchObject({ status: 'failed', endReason: code });
      const { body } = await service.api('GET', `/sites/${siteId}`);
      expect(body).toMatchObject({ status: 'error', lastErrorCode: code });
      expect(String(body.lastError)).toMatch(/^\S.*\.$/);
    }
    await broken.close();
  });

  it('loses its jobs and results with its site', async () => {
    const { siteId, job } = await crawled(site.origin);
    expect(await service.api('DELETE', `/sites/${siteId}`)).toMatchObject({ status: 200, body: { success: true } });
    expect((await service.api('GET', `/sites/${siteId}`)).status).toBe(404);
    expect((await service.visit(`/public/sites/${siteId}/search?q=harbour`)).status).toBe(404);
    expect(listOf((await service.api('GET', '/sites')).body.sites).map((each) => each.siteId)).not.toContain(siteId);
    await eventually(async () => (await service.api('GET', `/jobs/${job.jobId}`)).status === 404);
  });
});
