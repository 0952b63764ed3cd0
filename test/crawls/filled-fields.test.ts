import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Json, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type SitePage, type WebSite, webSite } from '../support/web-site.ts';
import { outcomesOf } from '../support/word-site.ts';

const VERSIONS = ['15', '16'];
const BY_URL = { name: 'version', type: 'string', facet: true, from: { urlPattern: '/docs/*/' } };
const BY_META = { ...BY_URL, from: { meta: 'docsearch:version' } };
const BY_SELECTOR = { ...BY_URL, from: { selector: 'nav[data-version] > .version' } };
const BY_JSON_LD = { name: 'section', type: 'string', facet: true, from: { jsonLd: 'articleSection' } };

/** A page with an ETag. */
const served =
  (html: () => string): SitePage =>
  (request, response) => {
    const headers = { 'Content-Type': 'text/html', ETag: `"${html().length}"` };
    const isKnown = request.headers['if-none-match'] === headers.ETag;
    response.writeHead(isKnown ? 304 : 200, headers).end(isKnown ? undefined : html());
  };

const head = (version: string, section: string): string =>
  `<meta name="docsearch:version" content="${version}">
   <script type="application/ld+json">{"@type": "TechArticle", "articleSection": "${section}"}</script></head>`;

/** Two versions of a manual: the same titles, and one page with the same text in both. */
function manual(): Record<string, SitePage> {
  const pages: [string, SitePage][] = VERSIONS.flatMap((version) => {
    const page = (title: string, text: string, section: string): SitePage =>
      served(() =>
        htmlPage(title, text)
          .replace('</head>', head(version, section))
          .replace('</main>', `</main><nav data-version>Version <b class=version>${version}</b></nav>`),
      );
    return [
      [`/docs/${version}/select.html`, page('Select', `A select of version ${version} reads rows of a table.`, 'SQL')],
      [`/docs/${version}/licence.html`, page('Licence', 'The licence lets you copy the manual freely.', 'Legal')],
    ];
  });
  const links = pages.map(([path]) => path);
  return {
    '/': served(() => htmlPage('Manuals', 'All manuals are listed here.', links)),
    ...Object.fromEntries(pages),
  };
}

describe('two versions of one manual in one site', () => {
  let service: TestApi;
  let web: WebSite;
  let siteId: string;

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
  });
  afterAll(() => service.end());
  beforeEach(async () => {
    web = await webSite(manual());
    siteId = await service.createSite(web.origin);
  });
  afterEach(() => web.close());

  const setSchema = async (metadataSchema: readonly object[]) =>
    expect(await service.api('PUT', `/sites/${siteId}`, { metadataSchema })).toMatchObject({ status: 200 });
  const crawl = async (): Promise<Record<string, string>> => {
    const job: Json = await service.ended(await service.startCrawl(siteId));
    expect(job).toMatchObject({ status: 'completed' });
    return outcomesOf(job, web, service);
  };
  const search = (query: string, request: object = {}) =>
    service.visit(`/public/sites/${siteId}/search`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: 'https://shop.example' },
      body: JSON.stringify({ query, minScore: 0, ...request }),
    });
  const found = async (query: string, request: object = {}) => {
    const { status, body } = await search(query, request);
    expect(status).toBe(200);
    return listOf(body.results).map(({ url, metadata }) => {
      const { version, section } = metadata as Json;
      return [String(url).replace(web.origin, ''), version, section].filter((part) => part !== undefined).join(' ');
    });
  };

  it.each([
    ['the URL', BY_URL],
    ['a meta tag', BY_META],
    ['an element', BY_SELECTOR],
  ])('is filtered and counted by a version from %s', async (_, version) => {
    await setSchema([version, BY_JSON_LD]);
    expect(Object.values(await crawl())).toEqual(Array(5).fill('indexed'));
    expect(await found('select rows of a table', { filters: { version: '15' } })).toContain(
      '/docs/15/select.html 15 SQL',
    );
    for (const wanted of VERSIONS)
      expect(await found('licence', { filters: { version: wanted } })).toEqual([
        `/docs/${wanted}/licence.html ${wanted} Legal`,
        `/docs/${wanted}/select.html ${wanted} SQL`,
      ]);
    const { body } = await search('manual select licence', { facets: ['version', 'section'] });
    expect(body.facets).toMatchObject([
      {
        name: 'version',
        values: [
          { value: '15', count: 2 },
          { value: '16', count: 2 },
        ],
      },
      {
        name: 'section',
        values: [
          { value: 'Legal', count: 2 },
          { value: 'SQL', count: 2 },
        ],
      },
    ]);
  });

  it('two versions have duplicates only as long as no field distinguishes them', async () => {
    const licence = '/docs/16/licence.html';
    expect(await crawl()).toMatchObject({ '/docs/15/licence.html': 'indexed', [licence]: 'duplicate' });
    await setSchema([BY_URL]);
    expect(await crawl()).toMatchObject({ [licence]: 'indexed' });
    expect(await found('licence', { filters: { version: '16' } })).toContain(`${licence} 16`);
    await setSchema([]);
    expect(await crawl()).toMatchObject({ [licence]: 'duplicate' });
  });

  it('pages are not read again while the fields stay the same', async () => {
    await setSchema([BY_META]);
    await crawl();
    expect(Object.values(await crawl())).toEqual(Array(5).fill('unchanged'));
    expect(await found('select', { filters: { version: '16' }, limit: 1 })).toEqual(['/docs/16/select.html 16']);
  });

  it('pages are read again, 304 or not, when a field gets a selector', async () => {
    await crawl();
    await setSchema([BY_SELECTOR]);
    expect(await crawl()).toMatchObject({ '/docs/15/select.html': 'indexed', '/docs/16/select.html': 'indexed' });
    expect(await found('select', { filters: { version: '16' }, limit: 1 })).toEqual(['/docs/16/select.html 16']);
    expect(Object.values(await crawl())).toEqual(Array(5).fill('unchanged'));
  });

  it('fields have the values of the latest version of a page', async () => {
    await setSchema([BY_META]);
    await crawl();
    web.pages.set(
      '/docs/15/select.html',
      served(() => htmlPage('Select', 'A select reads rows.').replace('</head>', head('15.2', 'SQL'))),
    );
    expect(await crawl()).toMatchObject({ '/docs/15/select.html': 'indexed', '/docs/16/select.html': 'unchanged' });
    expect(await found('select', { filters: { version: '15.2' } })).toEqual(['/docs/15/select.html 15.2']);
  });

  it('a field that is added after the crawl filters pages, without another crawl', async () => {
    await crawl();
    const requests = web.requests.length;
    await setSchema([BY_META, BY_JSON_LD]);
    await eventually(async () => {
      const results = await found('select', { filters: { version: '16', section: 'SQL' } });
      return results.includes('/docs/16/select.html 16 SQL') ? results : undefined;
    });
    expect(web.requests).toHaveLength(requests);
    const outcomes = await crawl();
    expect(outcomes).toMatchObject({ '/docs/15/select.html': 'unchanged', '/docs/16/licence.html': 'indexed' });
    expect(await found('licence', { filters: { version: '16' }, limit: 1 })).toEqual([
      '/docs/16/licence.html 16 Legal',
    ]);
  });

  it('pages with fields can be ingested, and the request has priority', async () => {
    await setSchema([BY_META, BY_JSON_LD]);
    const page = (path: string, more: object = {}) => ({
      url: path,
      content: htmlPage('Select', `A select of ${path}.`).replace('</head>', head('14', 'SQL')),
      ...more,
    });
    const ingest = async () => {
      const pages = [page('/own/1'), page('/own/2', { metadata: { version: '13' } })];
      return (await service.api('POST', `/sites/${siteId}/pages`, { pages })).body;
    };
    expect(await ingest()).toMatchObject({ processed: 2, failed: 0 });
    expect(await found('select', { filters: { version: '14' } })).toEqual(['/own/1 14 SQL']);
    expect(await found('select', { filters: { version: '13' } })).toEqual(['/own/2 13 SQL']);
    expect(await ingest()).toMatchObject({ skipped: 2 });
  });

  it.each<[string, object, string]>([
    ['two sources', { meta: 'a', jsonLd: 'b' }, 'must have one of meta, jsonLd, urlPattern and selector'],
    ['no source', {}, 'must have one of meta, jsonLd, urlPattern and selector'],
    ['a selector that no page is searched for', { selector: 'p:hover' }, ':hover at character 2 is not supported'],
    ['an unknown source', { cookie: 'a' }, 'from.cookie is not a known field'],
    ['a pattern without an asterisk', { urlPattern: '/docs/' }, 'must have exactly one asterisk, as in /docs/*/'],
    ['a path with a space', { jsonLd: 'article section' }, 'must be a property such as articleSection'],
  ])('refuses %s before it is saved', async (_, from, message) => {
    const { status, body } = await service.api('PUT', `/sites/${siteId}`, { metadataSchema: [{ ...BY_URL, from }] });
    expect(status).toBe(400);
    expect(
      listOf(body.issues)
        .map((issue) => `${issue.path} ${issue.message}`)
        .join(),
    ).toContain(message);
    expect((await service.api('GET', `/sites/${siteId}`)).body.metadataSchema).toEqual([]);
  });
});
