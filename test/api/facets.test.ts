import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';

const SCHEMA = [
  { name: 'colour', type: 'string', label: 'Colour', facet: true },
  { name: 'price', type: 'number', facet: true },
  { name: 'released', type: 'date', facet: true },
  { name: 'secret', type: 'string' },
];
const PAGES = [
  ['/storm', 'A storm lantern burns oil.', { colour: 'red', price: 10, released: '2024-05-06', secret: 'x' }, ['Lamp']],
  ['/paper', 'A paper lantern burns a candle.', { colour: ['red', 'blue'], price: '2.5' }, ['Lamp', 'Paper']],
  ['/oar', 'Oars are made of ash.', { colour: 'green', released: '2026-01-01T12:00:00Z' }, []],
] as const;

describe('the facets of a site', () => {
  let service: TestApi;
  let owner: ApiClient;
  let siteId: string;

  beforeAll(async () => {
    service = await openApi();
    owner = service.client(service.ready.apiKey);
    siteId = await service.createSite('https://lamps.example/');
    await owner('PUT', `/api/sites/${siteId}`, { body: { metadataSchema: SCHEMA } });
    await ingest(PAGES.map(([url, content, metadata, tags]) => ({ url, content, metadata, tags })));
  });
  afterAll(() => service.end());

  const ingest = (pages: readonly object[]): Promise<Answer> =>
    owner('POST', `/api/sites/${siteId}/pages`, {
      body: {
        pages: pages.map((page) => ({ contentType: 'text', title: 'T', summary: 'S', language: 'en', ...page })),
      },
    });
  const facets = (query = '', who = service.client(), path = `sites/${siteId}`): Promise<Answer> =>
    who('GET', `/v1/public/${path}/facets${query}`);
  const filtersOf = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`;
  const valuesOf = ({ body }: Answer, name: string): unknown =>
    listOf(body.facets).find((facet) => String(facet.name) === name)?.values;

  it('facets count the values of all pages, with the range of numbers and dates', async () => {
    const answer = await facets();
    expect(answer.body).toEqual({
      facets: [
        {
          name: 'tags',
          label: 'Tags',
          type: 'string',
          values: [
            { value: 'Lamp', count: 2 },
            { value: 'Paper', count: 1 },
          ],
        },
        { name: 'language', label: 'Language', type: 'string', values: [{ value: 'en', count: 3 }] },
        {
          name: 'colour',
          label: 'Colour',
          type: 'string',
          values: [
            { value: 'red', count: 2 },
            { value: 'blue', count: 1 },
            { value: 'green', count: 1 },
          ],
        },
        { name: 'price', label: 'price', type: 'number', min: 2.5, max: 10 },
        {
          name: 'released',
          label: 'released',
          type: 'date',
          min: '2024-05-06T00:00:00.000Z',
          max: '2026-01-01T12:00:00.000Z',
        },
      ],
    });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=60');
  });

  it('facets count the pages that a query finds and the filters admit', async () => {
    expect(valuesOf(await facets('?q=lantern'), 'colour')).toEqual([
      { value: 'red', count: 2 },
      { value: 'blue', count: 1 },
    ]);
    const dated = await facets(`?${filtersOf({ released: { gte: '2025-01-01' } })}`);
    expect(valuesOf(dated, 'colour')).toEqual([{ value: 'green', count: 1 }]);
    expect(listOf(dated.body.facets).map(({ name }) => name)).not.toContain('price');
    expect(valuesOf(await facets(`?q=lantern&${filtersOf({ tags: 'Paper' })}`), 'colour')).toEqual([
      { value: 'blue', count: 1 },
      { value: 'red', count: 1 },
    ]);
  });

  it('facets refuse what a search refuses', async () => {
    expect(await facets(`?${filtersOf({ weight: 1 })}`)).toMatchObject({
      status: 400,
      body: { code: 'unknown_filter_field' },
    });
    expect(await facets('?q=')).toMatchObject({ status: 400 });
    expect(await facets('', service.client(), 'sites/01890000-0000-7000-8000-000000000000')).toMatchObject({
      status: 404,
    });
    const closed = await owner('POST', '/api/sites', { body: { name: 'x', baseUrl: 'https://x.example/' } });
    expect(await facets('', service.client(), `sites/${closed.body.siteId}`)).toMatchObject({ status: 403 });
  });

  it('facets of a group count the pages of all its sites', async () => {
    const other = await service.createSite('https://boats.example/');
    await owner('PUT', `/api/sites/${other}`, {
      body: { metadataSchema: [{ name: 'colour', type: 'number', facet: true }] },
    });
    await owner('POST', `/api/sites/${other}/pages`, {
      body: {
        pages: [{ url: '/boat', content: 'A boat.', contentType: 'text', tags: ['Lamp'], metadata: { colour: 7 } }],
      },
    });
    const publicAccess = { enabled: true, allowedDomains: ['*'] };
    const { body } = await owner('POST', '/api/groups', {
      body: { name: 'x', siteIds: [siteId, other], publicAccess },
    });
    const path = `groups/${body.groupId}`;
    const all = await facets('', service.client(), path);
    expect(valuesOf(all, 'tags')).toContainEqual({ value: 'Lamp', count: 3 });
    expect(valuesOf(all, 'colour')).toContainEqual({ value: 'red', count: 2 });
    const ofOne = await facets(`?${filtersOf({ siteId: other })}`, service.client(), path);
    expect(valuesOf(ofOne, 'tags')).toEqual([{ value: 'Lamp', count: 1 }]);
    expect(valuesOf(await facets('?q=lantern', service.client(), path), 'tags')).toContainEqual({
      value: 'Lamp',
      count: 2,
    });
  });

  it('facets include pages that were indexed before a field was added to the schema, without a crawl', async () => {
    await owner('PUT', `/api/sites/${siteId}`, {
      body: { metadataSchema: [...SCHEMA.slice(0, 3), { name: 'secret', type: 'string', facet: true }] },
    });
    expect(valuesOf(await facets(), 'secret')).toEqual([{ value: 'x', count: 1 }]);
    const search = await owner('POST', `/v1/public/sites/${siteId}/search`, {
      body: { query: 'lantern', filters: { secret: 'x' } },
    });
    expect(listOf(search.body.results).map(({ url }) => url)).toEqual(['https://lamps.example/storm']);
  });

  it('facets use metadata with the types of the schema, and name the values that they leave out', async () => {
    const { status, body } = await ingest([
      {
        url: '/ok',
        content: 'Fine.',
        metadata: { price: '7', colour: null, released: ['2024-01-01'], free: { a: 1 } },
      },
      { url: '/price', content: 'A cheap thing.', metadata: { price: 'cheap', free: 'cheap' } },
      { url: '/both', content: 'Bad.', metadata: { released: 'soon', colour: { a: 1 } } },
      { url: '/list', content: 'Bad.', metadata: { price: [1, 'x'] } },
    ]);
    expect(status).toBe(200);
    const left = (name: string, type: string, value: string) =>
      `metadata.${name} was left out: it must be ${type}, not ${value}`;
    const date = 'a date such as 2026-11-23, 2026-11-23T10:30:00Z or epoch seconds';
    expect(listOf(body.results).map(({ url, status: end, warnings }) => ({ url, end, warnings }))).toEqual([
      { url: '/ok', end: 'success', warnings: undefined },
      { url: '/price', end: 'success', warnings: [left('price', 'a number', '"cheap"')] },
      {
        url: '/both',
        end: 'success',
        warnings: [left('released', date, '"soon"'), left('colour', 'a string', '{"a":1}')],
      },
      { url: '/list', end: 'success', warnings: [left('price', 'a number', '"x"')] },
    ]);
    const search = await owner('POST', `/v1/public/sites/${siteId}/search`, { body: { query: 'cheap thing' } });
    const [found] = listOf(search.body.results);
    expect(found?.metadata).toMatchObject({ free: 'cheap' });
    expect(found?.metadata).not.toHaveProperty('price');
  });

  it('reserved names are dropped from metadata, unless the site has a field of that name', async () => {
    const names = ['title', 'url', 'originalUrl', 'summary', 'tags', 'topics', 'publishedAt', 'crawledAt', 'fetchedAt'];
    const metadata = Object.fromEntries([...names, 'dateSource', 'jobId', 'free'].map((name) => [name, 'own']));
    const schema = [...SCHEMA, { name: 'topics', type: 'string' }];
    await owner('PUT', `/api/sites/${siteId}`, { body: { metadataSchema: schema } });
    const { body } = await ingest([{ url: '/reserved', content: 'A reserved berth.', metadata }]);
    expect(listOf(listOf(body.results)[0]?.warnings)).toHaveLength(10);
    const search = await owner('POST', `/v1/public/sites/${siteId}/search`, { body: { query: 'berth' } });
    const [found] = listOf(search.body.results);
    expect(found?.metadata).toEqual({
      topics: 'own',
      free: 'own',
      tags: expect.anything(),
      crawledAt: expect.anything(),
      summary: expect.anything(),
    });
    await owner('PUT', `/api/sites/${siteId}`, { body: { metadataSchema: SCHEMA } });
  });

  it('facets accept dates in epoch seconds', async () => {
    const metadata = { released: 1_781_287_200, price: 1_781_287_200 };
    const pages = [
      { url: '/whole', content: 'A festival of lanterns.', metadata },
      { url: '/broken', content: 'A festival of bells.', metadata: { released: [1_781_287_200.5, '2026-06-13'] } },
      { url: '/milliseconds', content: 'A festival of drums.', metadata: { released: 1_781_287_200_000 } },
    ];
    const answer = await ingest(pages);
    expect(answer.body).toMatchObject({ success: true, processed: 3 });
    expect(listOf(answer.body.results).map(({ warnings }) => warnings !== undefined)).toEqual([false, false, true]);
    const found = async (released: unknown) => {
      const body = { query: 'festival', filters: { released } };
      const { body: result } = await owner('POST', `/v1/public/sites/${siteId}/search`, { body });
      return listOf(result.results)
        .map(({ url }) => new URL(String(url)).pathname)
        .toSorted();
    };
    expect(await found('2026-06-12')).toEqual(['/broken', '/whole']);
    expect(await found({ gte: '2026-06-12T18:00:00Z', lte: '2026-06-12T18:00:00Z' })).toEqual(['/whole']);
    expect((await ingest(pages)).body).toMatchObject({ skipped: 3 });
  });

  it.each(['tags', 'summary', 'publishedAt', 'crawledAt', 'language', 'url', 'siteId'])(
    'cannot be named %s, which is reserved',
    async (name) => {
      const answer = await owner('PUT', `/api/sites/${siteId}`, {
        body: { metadataSchema: [{ name, type: 'string' }] },
      });
      expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'body.metadataSchema.0.name' }] } });
      expect(String(answer.body.error)).toContain('reserved');
    },
  );

  it('fields need distinct names', async () => {
    const metadataSchema = [
      { name: 'a', type: 'string' },
      { name: 'a', type: 'number' },
    ];
    expect(await owner('PUT', `/api/sites/${siteId}`, { body: { metadataSchema } })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'body.metadataSchema.1.name' }] },
    });
  });
});
