import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pageStore } from '#adapters/page-store';
import { table } from '#adapters/table';
import { pageMarkdown } from '../../lambdas/domain/pages/read-page-markdown.ts';
import { readSite } from '../../lambdas/domain/sites/site.ts';
import { prefersMarkdown } from '../../lambdas/runtime/text-answers.ts';
import type { Answer } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const MILLS =
  '<html lang=en><title>Mills</title><meta name=description content="About mills."><main><h1>Mills</h1><p>All about <a href="/wind#top">wind</a> mills and <code>mill|s</code>.</p>' +
  '<h2 id=kinds>Kinds</h2><table><tr><th>Kind<th>Power</tr><tr><td>Post<td>Low</table><pre><code class=language-sh>turn</code></pre></main>';
const SOURCE = '# Ledger\n\n1. one\n2. two\n\n```js\nx()\n```';

describe('a page as Markdown', () => {
  let service: TestApi;
  let web: WebSite;
  let owner: ApiClient;
  let siteId: string;
  let otherId: string;

  const page = (url: string, Accept?: string, site = siteId): Promise<Answer> =>
    service.client()('GET', `/v1/public/sites/${site}/page?url=${encodeURIComponent(url)}`, {
      headers: Accept === undefined ? {} : { Accept },
    });

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    web = await webSite({
      '/': htmlPage('Home', 'Everything about mills.', ['mills', 'a-copy-of-it', 'moved']),
      '/mills': MILLS,
      '/a-copy-of-it': MILLS,
      '/moved': (_, response) => void response.writeHead(301, { Location: '/mills' }).end(),
    });
    owner = service.client(service.ready.apiKey);
    siteId = await service.createSite(web.origin);
    otherId = await service.createSite('https://www.example/');
    for (const id of [siteId, otherId])
      await owner('PUT', `/api/sites/${id}`, {
        body: { publicAccess: { enabled: true, searchEnabled: true, allowedDomains: ['*'] } },
      });
    await service.ended(await service.startCrawl(siteId));
    await owner('POST', `/api/sites/${otherId}/pages`, {
      body: { pages: [{ url: '/books/ledger', title: 'The ledger', content: SOURCE, contentType: 'text' }] },
    });
  });
  afterAll(async () => {
    await service.end();
    await web.close();
  });

  const markdown = () =>
    `# Mills\n\n<${web.origin}/mills>\n\nAll about [wind](${web.origin}/wind#top) mills and \`mill|s\`.\n\n## Kinds\n\n` +
    '| Kind | Power |\n| --- | --- |\n| Post | Low |\n\n```sh\nturn\n```';

  it('is answered as text to those who ask for it, and as JSON to others, and caches keep them apart', async () => {
    const text = await page(`${web.origin}/mills#kinds`, 'text/markdown, text/html;q=0.9, */*;q=0.1');
    expect([text.status, text.body.text]).toEqual([200, markdown()]);
    expect(text.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(text.headers.get('link')).toBe(`<${web.origin}/mills>; rel="canonical"`);
    const json = await page('/mills', '*/*');
    expect(json.body).toEqual({
      url: `${web.origin}/mills`,
      title: 'Mills',
      markdown: markdown(),
      headings: [{ level: 2, text: 'Kinds', anchor: 'kinds' }],
      links: [{ text: 'wind', url: `${web.origin}/wind#top` }],
      summary: 'About mills.',
      tags: expect.any(Array),
      crawledAt: expect.any(String),
      language: 'en',
    });
    for (const { headers } of [text, json]) {
      expect(headers.get('vary')).toBe('Origin, Accept');
      expect(headers.get('cache-control')).toBe('public, max-age=0, s-maxage=60');
    }
  });

  it.each(['/a-copy-of-it', '/moved', '/mills?utm_source=x#kinds'])(
    'is found at %s, which leads to it',
    async (path) => {
      expect((await page(path)).body.url).toBe(`${web.origin}/mills`);
    },
  );

  it('is found at the address that results show under the domain of the site', async () => {
    await owner('PUT', `/api/sites/${siteId}`, { body: { domain: 'https://mills.example' } });
    expect((await page('https://mills.example/mills')).body.url).toBe('https://mills.example/mills');
    await owner('PUT', `/api/sites/${siteId}`, { body: { domain: '' } });
  });

  it.each(['/nothing', 'https://www.example/books/ledger', 'no url', 'javascript:alert(1)'])(
    'answers 404 with what to do for %s, which is no page of the site',
    async (url) => {
      const { status, body } = await page(url, 'text/markdown');
      expect([status, body]).toEqual([
        404,
        { error: expect.stringMatching(/no indexed page.*llms\.txt/), code: 'not_found' },
      ]);
    },
  );

  it('is not there after the page was deleted', async () => {
    expect((await page('/')).status).toBe(200);
    await owner('DELETE', `/api/sites/${siteId}/pages`, { body: { urls: [`${web.origin}/`] } });
    expect((await page('/')).status).toBe(404);
  });

  it('is what was ingested, if that was Markdown', async () => {
    const { body } = await page('/books/ledger', undefined, otherId);
    expect(body).toMatchObject({ url: 'https://www.example/books/ledger', title: 'The ledger', markdown: SOURCE });
    expect((await page('/books/ledger', 'text/markdown', otherId)).body.text).toBe(SOURCE);
  });

  it('is written from its blocks, if it was stored before there was Markdown', async () => {
    const site = await readSite(otherId, table);
    if (!site) throw new Error('no site');
    const scope = { siteId: otherId, generation: site.state.generation };
    const { items } = await pageStore.list(scope, { limit: 1 });
    const [stored] = await pageStore.get(items);
    const [address] = items;
    if (!stored || !address) throw new Error('no page is stored');
    const { markdown: _, isMarkdown: __, ...old } = stored;
    await pageStore.put([{ address, page: old }]);
    const read = await pageMarkdown(site, '/books/ledger', { table, pageStore });
    expect(read?.markdown).toBe(
      '# The ledger\n\n<https://www.example/books/ledger>\n\n# Ledger\n\n- one\n- two\n\n```\nx()\n```',
    );
  });

  it('is listed in llms.txt with its summary, in the section of its path', async () => {
    const { status, headers, body } = await service.client()('GET', `/v1/public/sites/${otherId}/llms.txt`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(body.text).toMatch(
      /^# [^\n]+\n\n> The pages of www\.example\n\n[^\n]+\n\n## books\n\n- \[The ledger\]\(https:\/\/www\.example\/books\/ledger\)/,
    );
  });
});

describe('the preference for Markdown', () => {
  it.each([
    ['text/markdown', true],
    ['TEXT/Markdown;charset=utf-8', true],
    ['text/markdown, application/json', true],
    ['application/json, text/markdown', false],
    ['application/json;q=0.5, text/markdown', true],
    ['text/markdown;q=0.5, application/json', false],
    ['text/markdown;q=0', false],
    ['text/html, */*', false],
    ['', false],
  ])('%s: %j', (accept, expected) => {
    expect(prefersMarkdown(accept)).toBe(expected);
  });
});
