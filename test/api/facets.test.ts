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

  it('count the values of all pages, with the range of numbers and dates', async () => {
    const answer = await facets();
    expect(answer.body).toEqual({
      facets: [
        {
          ...{ name: 'tags', label: 'Tags', type: 'string' },
          values: [
            { value: 'Lamp', count: 2 },
            { value: 'Paper', count: 1 },
          ],
        },
        { name: 'language', label: 'Language', type: 'string', values: [{ value: 'en', count: 3 }] },
        {
          ...{ name: 'colour', label: 'Colour', type: 'string' },
          values: [
            { value: 'red', count: 2 },
            { value: 'blue', count: 1 },
            { value: 'green', count: 1 },
          ],
        },
        { name: 'price', label: 'price', type: 'number', min: 2.5, max: 10 },
        {
          ...{ name: 'released', label: 'released', type: 'date' },
          ...{ min: '2024-05-06T00:00:00.000Z', max: '2026-01-01T12:00:00.000Z' },
        },
      ],
    });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=60');
  });

  it('count what a query finds, and what the filters admit', async () => {
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

  it('refuse what a search refuses', async () => {
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

  it('of a group count the pages of all of its sites', async () => {
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

  it('appear for pages that were indexed before a field was added to the schema, without a crawl', async () => {
    await owner('PUT', `/api/sites/${siteId}`, {
      body: { metadataSchema: [...SCHEMA.slice(0, 3), { name: 'secret', type: 'string', facet: true }] },
    });
    expect(valuesOf(await facets(), 'secret')).toEqual([{ value: 'x', count: 1 }]);
    const search = await owner('POST', `/v1/public/sites/${siteId}/search`, {
      body: { query: 'lantern', filters: { secret: 'x' } },
    });
    expect(listOf(search.body.results).map(({ url }) => url)).toEqual(['https://lamps.example/storm']);
  });

  it('take pages whose metadata has the types of the schema, and name the fault of each other page', async () => {
    const { status, body } = await ingest([
      {
        url: '/ok',
        content: 'Fine.',
        metadata: { price: '7', colour: null, released: ['2024-01-01'], free: { a: 1 } },
      },
      { url: '/price', content: 'Bad.', metadata: { price: 'cheap' } },
      { url: '/both', content: 'Bad.', metadata: { released: 'soon', colour: { a: 1 } } },
      { url: '/list', content: 'Bad.', metadata: { price: [1, 'x'] } },
    ]);
    expect(status).toBe(200);
    expect(listOf(body.results)).toMatchObject([
      { url: '/ok', status: 'success' },
      { url: '/price', status: 'error', error: 'Invalid page: metadata.price must be a number, not "cheap"' },
      {
        url: '/both',
        status: 'error',
        error: expect.stringMatching(/metadata.colour must be a string.*metadata.released/),
      },
      { url: '/list', status: 'error', error: 'Invalid page: metadata.price must be a number, not "x"' },
    ]);
    expect((await service.api('GET', `/sites/${siteId}/pages?search=/price`)).body.items).toEqual([]);
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

  it('need names of their own', async () => {
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
