import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import { pdfFile } from '../support/pdf-file.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type SitePage, type WebSite, webSite } from '../support/web-site.ts';

const PROSE =
  'The mill of the valley grinds rye and wheat for the bakers of three villages, and sells what is left over.';
const sheet = (...texts: readonly string[]) => texts.map((text, i) => ({ text, y: 600 - 40 * i }));
const manual = pdfFile({
  title: 'Manual of the mill',
  created: 'D:20260131120000Z',
  pages: [sheet(PROSE), sheet('How to grease the spindle: use tallow once a week.'), sheet('The end of it.')],
});

describe('PDFs of a site', () => {
  let service: TestApi;
  let web: WebSite;
  let client: ApiClient;
  let siteId: string;
  let jobId: string;

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    client = service.client(service.ready.apiKey);
    const file =
      (body: Uint8Array | string, headers: Record<string, string> = {}): SitePage =>
      (_, response) =>
        void response.writeHead(200, { 'content-type': 'application/pdf', ...headers }).end(body);
    web = await webSite({
      '/': htmlPage('Mill', 'The mill.', [
        'manual.pdf',
        'locked.pdf',
        'scan.pdf',
        'broken.pdf',
        'secret.pdf',
        'hidden/a.pdf',
        'large.pdf',
        'largest.pdf',
      ]),
      '/robots.txt': file('User-agent: *\nDisallow: /hidden/', { 'content-type': 'text/plain' }),
      '/sitemap.xml': file('<urlset><url><loc>/listed</loc></url></urlset>', { 'content-type': 'text/xml' }),
      '/manual.pdf': file(manual, { etag: '"1"' }),
      '/listed': file(pdfFile({ pages: [sheet('Prices of flour in the year 1950.')] })),
      '/locked.pdf': file(pdfFile({ pages: [sheet('Locked.')], isEncrypted: true })),
      '/scan.pdf': file(pdfFile({ pages: [[]] })),
      '/broken.pdf': file(Buffer.from('<html>Log in</html>')),
      '/secret.pdf': file(manual, { 'x-robots-tag': 'noindex' }),
      '/hidden/a.pdf': file(manual),
      '/large.pdf': file(
        Buffer.concat([pdfFile({ pages: [sheet('Saffron costs more than gold.')] }), Buffer.alloc(11 * 2 ** 20, ' ')]),
      ),
      '/largest.pdf': file(Buffer.alloc(51 * 2 ** 20)),
    });
    siteId = await service.createSite(web.origin);
    jobId = await service.startCrawl(siteId);
    await service.ended(jobId);
  });
  afterAll(async () => {
    await service.end();
    await web.close();
  });

  const endings = async () => {
    const { body } = await client('GET', `/api/jobs/${jobId}/pages`);
    return Object.fromEntries(
      listOf(body.pages).map(({ url, outcome, reason }) => [new URL(String(url)).pathname, reason ?? outcome]),
    );
  };
  const search = async (q: string) => {
    const { body } = await client('GET', `/v1/public/sites/${siteId}/search?q=${encodeURIComponent(q)}`);
    return listOf(body.results);
  };

  it('PDFs are found by links and sitemaps, and each that is not indexed has its reason', async () => {
    expect(await endings()).toEqual({
      '/': 'indexed',
      '/manual.pdf': 'indexed',
      '/listed': 'indexed',
      '/large.pdf': 'indexed',
      '/locked.pdf': 'encrypted',
      '/scan.pdf': 'scanned',
      '/broken.pdf': 'broken_pdf',
      '/secret.pdf': 'noindex',
      '/hidden/a.pdf': 'robots',
      '/largest.pdf': 'too_large',
    });
  });

  it('a search finds PDFs, and leads to the page of the file', async () => {
    const [first] = await search('grease the spindle');
    expect(first).toMatchObject({
      url: `${web.origin}/manual.pdf`,
      title: 'Manual of the mill',
      section: { heading: 'Page 2', anchor: 'page=2' },
      metadata: { publishedAt: '2026-01-31T12:00:00.000Z' },
    });
    expect(String(first?.snippet)).toContain('tallow once a week');
  });

  it('PDFs may be larger than other pages', async () => {
    expect((await search('saffron')).map(({ url }) => url)).toEqual([`${web.origin}/large.pdf`]);
  });

  it('PDFs are unchanged in the next crawl', async () => {
    const next = await service.ended(await service.startCrawl(siteId));
    expect(next).toMatchObject({ outcomes: { indexed: 0, unchanged: 4 } });
  });
});
