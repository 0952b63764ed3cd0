import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const names = ['anchor', 'bell', 'compass', 'deck', 'engine', 'flag', 'galley', 'hull'];
const HEAD =
  '<meta name="description" content="What an anchor is for."><meta name="keywords" content="Iron, Harbour">' +
  '<meta property="og:type" content="article">' +
  '<meta property="article:published_time" content="2024-05-06T07:08:09Z"></head>';

function ship(): Record<string, string> {
  const pages = names.map((name, i) => [`/${name}`, htmlPage(`The ${name}`, `Part ${i} of a ship is its ${name}.`)]);
  const anchor = htmlPage('The anchor', 'It holds the ship in its place.').replace('</head>', HEAD);
  return { '/': htmlPage('Ship', 'All parts.', names), ...Object.fromEntries(pages), '/anchor': anchor };
}

describe('the indexed pages of a site', () => {
  let service: TestApi;
  let web: WebSite;
  let owner: ApiClient;
  let other: ApiClient;
  let path: string;

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    web = await webSite(ship());
    owner = service.client(service.ready.apiKey);
    const siteId = await service.createSite(web.origin);
    path = `/api/sites/${siteId}/pages`;
    const [organisation] = await Promise.all([
      service.makeOrganisation('free'),
      service.startCrawl(siteId).then((jobId) => service.ended(jobId)),
    ]);
    other = service.client(organisation.apiKey);
  });
  afterAll(async () => {
    await service.end();
    await web.close();
  });

  const list = (query = ''): Promise<Answer> => owner('GET', `${path}?${query}`);
  const pathsOf = ({ body }: Answer): readonly string[] =>
    listOf(body.items).map(({ url }) => String(url).slice(web.origin.length));
  const all = ['', ...names].map((name) => `/${name}`);

  it('pages are listed by URL with their metadata', async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(pathsOf(answer)).toEqual(all);
    expect(answer.body).toMatchObject({ nextCursor: null, hasMore: false });
    const anchor = listOf(answer.body.items)[1];
    expect(anchor).toEqual({
      url: `${web.origin}/anchor`,
      title: 'The anchor',
      aliases: [],
      aliasCount: 0,
      summary: 'What an anchor is for.',
      tags: ['Iron', 'Harbour'],
      publishedAt: expect.stringMatching(/^2024-05-06T07:08:09/),
      crawledAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      indexedAt: expect.any(Number),
    });
    expect(Math.abs(Number(anchor?.indexedAt) - Date.now() / 1000)).toBeLessThan(60);
  });

  it.each(['', 'search=a'])('are listed page by page, each once (%j)', async (query) => {
    const whole = pathsOf(await list(query));
    const seen: string[] = [];
    for (let cursor = '', hasMore = true; hasMore; ) {
      const answer = await list(`limit=2&${query}${cursor}`);
      seen.push(...pathsOf(answer));
      hasMore = String(answer.body.hasMore) === 'true';
      cursor = `&cursor=${encodeURIComponent(String(answer.body.nextCursor))}`;
      expect(seen.length).toBeLessThanOrEqual(all.length);
    }
    expect(seen).toEqual(whole);
  });

  it('a list of pages continues after the URL of the cursor', async () => {
    const answer = await list(`limit=3&cursor=${encodeURIComponent(`${web.origin}/bell`)}`);
    expect(pathsOf(answer)).toEqual(['/compass', '/deck', '/engine']);
    expect(answer.body).toMatchObject({ hasMore: true, nextCursor: `${web.origin}/engine` });
  });

  it.each([
    ['COMPASS', ['/compass']],
    ['the%20de', ['/deck']],
    ['/gall', ['/galley']],
    ['Ship', ['/']],
    ['%25', []],
    ['_', []],
    ['*', []],
    ['nothing of the kind', []],
    ['%20%20', all],
    ['', all],
  ])('are found by part of the title or URL: %s', async (search, found) => {
    expect(pathsOf(await list(`search=${search}`))).toEqual(found);
  });

  it.each([
    ['query.limit', 'limit=abc'],
    ['query.limit', 'limit='],
    ['query.limit', 'limit=201'],
    ['query.limit', 'limit=1.5'],
    ['query.cursor', `cursor=${'x'.repeat(4097)}`],
    ['query.search', `search=${'x'.repeat(2049)}`],
  ])('are not listed with an invalid %s (%#)', async (issue, query) => {
    expect(await list(query)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', issues: [{ path: issue }] },
    });
  });

  it.each(['garbage', '%00', '%F0%9F%98%80'.repeat(1000), `http://${'x'.repeat(3000)}`, '"', '%27 OR 1=1 --'])(
    'are listed with a cursor that is not a URL of the site (%#)',
    async (cursor) => {
      for (const query of [`cursor=${cursor}`, `cursor=${cursor}&search=the`]) {
        const { status, body } = await list(query);
        expect([status, body.nextCursor]).toEqual([200, null]);
      }
    },
  );

  it('pages are not found for another organisation, an unknown site and a malformed id', async () => {
    expect((await other('GET', path)).status).toBe(404);
    expect((await owner('GET', `/api/sites/${UNKNOWN}/pages`)).status).toBe(404);
    expect((await owner('GET', '/api/sites/x/pages')).status).toBe(404);
    expect((await service.client()('GET', path)).status).toBe(401);
  });

  it('a list of pages reports an invalid id and an invalid query together', async () => {
    const answer = await owner('GET', '/api/sites/x/pages?limit=abc');
    expect(answer.status).toBe(400);
    expect(listOf(answer.body.issues).map((issue) => issue.path)).toEqual(['params.siteId', 'query.limit']);
  });

  it('pages cannot be ingested on the free plan, in the words of the contract', async () => {
    expect(await other('POST', path, { body: { pages: [] } })).toMatchObject({
      status: 403,
      body: { code: 'plan_required', error: 'API access requires Pro or Enterprise plan' },
    });
  });
});
