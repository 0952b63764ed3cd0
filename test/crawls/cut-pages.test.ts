import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import { pdfFile } from '../support/pdf-file.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type SitePage, type WebSite, webSite } from '../support/web-site.ts';

const MAX_CHUNKS = 1000;
const MAX_PDF_PAGES = 500;

/** Returns a log of `parts` headings, each of which begins a new chunk. */
const log = (parts: number) =>
  htmlPage('Log', 'Entries.').replace(
    '</body>',
    Array.from(
      { length: parts },
      (_, n) => `<h2>Day ${n}</h2><p>${`The wind of day ${n} was fair. `.repeat(40)}</p>`,
    ).join(''),
  );
const book = (pages: number) =>
  pdfFile({ title: 'Book', pages: Array.from({ length: pages }, (_, n) => [{ text: `Leaf ${n} of it.`, y: 600 }]) });

describe('pages that are too long', () => {
  let service: TestApi;
  let web: WebSite;
  let client: ApiClient;
  let siteId: string;

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    client = service.client(service.ready.apiKey);
    const pdf = (pages: number): SitePage => {
      const file = book(pages);
      return (_, response) => void response.writeHead(200, { 'Content-Type': 'application/pdf' }).end(file);
    };
    web = await webSite({
      '/': htmlPage('Start', 'Where everything begins.', ['/long', '/short', '/long.pdf', '/short.pdf']),
      '/long': log(MAX_CHUNKS + 50),
      '/short': log(20),
      '/long.pdf': pdf(MAX_PDF_PAGES + 1),
      '/short.pdf': pdf(2),
    });
    siteId = await service.createSite(web.origin);
  });
  afterAll(async () => {
    await service.end();
    await web.close();
  });

  it('page lists mark pages that are too long, even after a crawl that finds them unchanged', async () => {
    for (const outcome of ['indexed', 'unchanged']) {
      const job = await service.ended(await service.startCrawl(siteId), 25_000);
      expect(job.outcomes).toMatchObject({ [outcome]: 5 });
      for (const list of ['pages', 'index-pages']) {
        const { body } = await client('GET', `/api/sites/${siteId}/${list}`);
        const pages = listOf(body.items ?? body.pages);
        expect(pages).toHaveLength(5);
        const cut = pages.filter((page) => 'truncated' in page).map(({ url }) => new URL(String(url)).pathname);
        expect(cut.sort()).toEqual(['/long', '/long.pdf']);
      }
    }
  }, 60_000);
});
