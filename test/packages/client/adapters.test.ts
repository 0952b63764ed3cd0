import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { docsearchClient, instantsearchClient } from '../../../packages/client/src/site-search.ts';
import { type ScriptedServer, scriptedServer } from '../../support/scripted-server.ts';

const RESULT = {
  url: 'https://a.example/hours',
  title: 'Hours & <i>more</i>',
  snippet: 'Our opening hours are <b>9</b> to 17.',
  highlights: [
    [4, 11],
    [12, 17],
  ],
  section: { heading: 'Öffnungszeiten', anchor: 'über uns' },
  score: 0.9,
  metadata: { tags: ['shop'], crawledAt: '2026-11-23T09:00:00.000Z', price: 5 },
};
const FACETS = [
  {
    name: 'tags',
    label: 'Tags',
    type: 'string',
    values: [
      { value: 'shop', count: 3 },
      { value: 'Office', count: 1 },
    ],
  },
  { name: 'price', label: 'Price', type: 'number', min: 1, max: 9 },
  { name: 'publishedAt', label: 'Date', type: 'date', min: '2026-01-01', max: '2026-02-01' },
];
const UNKNOWN = { error: 'There is no field docusaurus_tag', code: 'unknown_filter_field' };

let server: ScriptedServer;
let found: object;
beforeEach(async () => {
  found = { results: [RESULT], totalResults: 7, timingMs: 2 };
  server = await scriptedServer((response, { url = '' }) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const isRefused =
      searchParams.get('filters')?.includes('docusaurus_tag') || searchParams.get('facets')?.includes('nonsense');
    const body = pathname.endsWith('/facets') ? { facets: FACETS } : { query: searchParams.get('q'), ...found };
    response.writeHead(isRefused ? 400 : 200).end(JSON.stringify(isRefused ? UNKNOWN : body));
  });
});
afterEach(() => server.close());

const docsearch = (options: object = {}) => docsearchClient({ api: server.url, site: 's', ...options });
const instantsearch = (options: object = {}) => instantsearchClient({ api: server.url, site: 's', ...options });
const asked = () =>
  server.requests.map(({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    return { path: pathname.replace('/v1/public/', ''), ...Object.fromEntries(searchParams) };
  });

describe('the adapter for DocSearch', () => {
  it('the adapter for DocSearch is the client, and the transformation that returns it', () => {
    const client = docsearch();
    expect(client()).toBe(client);
    expect(client.transporter.algoliaAgent.value).toBe('');
    expect(client.addAlgoliaAgent()).toBeUndefined();
  });

  it('the adapter for DocSearch gives hits with the title, the section and its anchor, as escaped HTML', async () => {
    const { results } = await docsearch().search({ requests: [{ indexName: 'docs', query: 'hours', hitsPerPage: 5 }] });
    expect(results[0]).toMatchObject({ index: 'docs', nbHits: 7, query: 'hours', page: 0, processingTimeMS: 2 });
    const content = 'Our <mark>opening</mark> <mark>hours</mark> are &lt;b&gt;9&lt;/b&gt; to 17.';
    const title = '<mark>Hours</mark> &amp; &lt;i&gt;more&lt;/i&gt;';
    expect(results[0]?.hits).toMatchObject([
      {
        url: 'https://a.example/hours#%C3%BCber%20uns',
        url_without_anchor: 'https://a.example/hours',
        anchor: 'über uns',
        type: 'content',
        content: 'Our opening hours are &lt;b&gt;9&lt;/b&gt; to 17.',
        hierarchy: {
          lvl0: 'a.example',
          lvl1: 'Hours &amp; &lt;i&gt;more&lt;/i&gt;',
          lvl2: 'Öffnungszeiten',
          lvl6: null,
        },
        _snippetResult: { content: { value: content, matchLevel: 'partial' }, hierarchy: { lvl0: { value: title } } },
        _highlightResult: {
          content: { value: content },
          hierarchy: { lvl2: { value: 'Öffnungszeiten', matchLevel: 'none' } },
        },
      },
    ]);
    expect(asked()).toEqual([{ path: 'sites/s/search', q: 'hours', limit: '5', sections: '2' }]);
  });

  it('the adapter for DocSearch gives further passages of a page as hits of their own, which begin near the first match', async () => {
    const snippet = `${'Much is said before it. '.repeat(5)}Then come the hours.`;
    const at = snippet.indexOf('hours');
    const passage = { heading: 'More', anchor: 'more', snippet, highlights: [[at, at + 5]] };
    found = { results: [{ ...RESULT, section: undefined, sections: [passage] }], totalResults: 1, timingMs: 1 };
    const { results } = await docsearch().search([{ indexName: 'docs', params: { query: 'hours' } }]);
    const [first, second] = results[0]?.hits ?? [];
    expect(first).toMatchObject({ url: RESULT.url, anchor: null, hierarchy: { lvl2: null } });
    expect(second?.url).toBe(`${RESULT.url}#more`);
    expect(second?._snippetResult.content.value).toMatch(/^….{20,50} <mark>hours<\/mark>\.$/);
    expect(second?.objectID).not.toBe(first?.objectID);
  });

  it('the adapter for DocSearch names the site of a hit in a group', async () => {
    found = { results: [{ ...RESULT, title: 'Hours', siteName: 'Shop' }], totalResults: 1, timingMs: 1 };
    const client = docsearchClient({ api: server.url, group: 'g' });
    const { results } = await client.search({ requests: [{ query: 'x', hitsPerPage: 90 }] });
    expect(results[0]?.hits[0]?.hierarchy).toMatchObject({ lvl0: 'Shop', lvl1: 'Hours' });
    expect(results[0]?.hits[0]?._highlightResult.hierarchy.lvl0?.value).toBe('Hours (Shop)');
    expect(asked()).toMatchObject([{ path: 'groups/g/search', limit: '50' }]);
  });

  it('the adapter for DocSearch leaves out filters on fields that the site does not have', async () => {
    const facetFilters = ['tags:shop', ['docusaurus_tag:default', 'docusaurus_tag:docs']];
    await docsearch({ filters: { language: 'en' } }).search({ requests: [{ query: 'x', facetFilters }] });
    expect(asked().map((each) => 'filters' in each && each.filters)).toEqual([
      '{"tags":["shop"],"docusaurus_tag":["default","docs"],"language":"en"}',
      false,
      '{"tags":["shop"],"language":"en"}',
    ]);
  });

  it('the adapter for DocSearch counts the values of facets without a query', async () => {
    const { results } = await docsearch().search({ requests: [{ query: '', hitsPerPage: 0, facets: ['tags'] }] });
    expect(results[0]).toMatchObject({ hits: [], nbHits: 0, nbPages: 0, facets: { tags: { shop: 3, Office: 1 } } });
    expect(asked()).toEqual([{ path: 'sites/s/facets' }]);
  });

  it('the adapter for DocSearch fails with the error for which DocSearch says so', async () => {
    await server.close();
    const search = docsearch().search({ requests: [{ query: 'x' }] });
    await expect(search).rejects.toMatchObject({ name: 'RetryError', cause: { code: 'unreachable' } });
  });
});

describe('the adapter for InstantSearch', () => {
  const search = async (params: object, options: object = {}) =>
    (await instantsearch(options).search([{ indexName: 'i', params: { query: 'hours', hitsPerPage: 3, ...params } }]))
      .results[0];

  it('the adapter for InstantSearch gives hits with the fields of the page, marked as the request says', async () => {
    const answer = await search({
      page: 1,
      highlightPreTag: '__ais-highlight__',
      highlightPostTag: '__/ais-highlight__',
    });
    expect(answer).toMatchObject({ page: 1, nbPages: 3, nbHits: 7, hitsPerPage: 3, exhaustiveNbHits: true });
    expect(answer?.hits).toMatchObject([
      {
        objectID: RESULT.url,
        title: RESULT.title,
        snippet: RESULT.snippet,
        section: RESULT.section,
        price: 5,
        _highlightResult: { title: { value: '__ais-highlight__Hours__/ais-highlight__ & <i>more</i>' } },
        _snippetResult: {
          snippet: {
            value:
              'Our __ais-highlight__opening__/ais-highlight__ __ais-highlight__hours__/ais-highlight__ are <b>9</b> to 17.',
          },
        },
      },
    ]);
    expect(asked()).toEqual([{ path: 'sites/s/search', q: 'hours', limit: '3', offset: '3' }]);
  });

  it('the adapter for InstantSearch escapes texts if the marks are HTML', async () => {
    const answer = await search({});
    expect(answer?.hits[0]?._highlightResult.title.value).toBe('<mark>Hours</mark> &amp; &lt;i&gt;more&lt;/i&gt;');
  });

  it('the adapter for InstantSearch has a next page while more pages match than are counted, up to the last that the service shows', async () => {
    found = { results: [RESULT, RESULT, RESULT], totalResults: 100, totalIsLowerBound: true, timingMs: 1 };
    expect(await search({ page: 40 })).toMatchObject({ nbPages: 42, exhaustiveNbHits: false });
    expect(await search({ page: 333 })).toMatchObject({ nbPages: 334 });
  });

  it('the adapter for InstantSearch filters by values and ranges', async () => {
    const facetFilters = [['tags:shop', 'tags:a:b'], 'language:en'];
    await search({ facetFilters, numericFilters: ['price>=2', 'price<=8', 'year=2026'] }, { minScore: 0.5 });
    expect(JSON.parse(String(Object(asked()[0]).filters))).toEqual({
      tags: ['shop', 'a:b'],
      language: ['en'],
      price: { gte: 2, lte: 8 },
      year: 2026,
    });
    expect(asked()).toMatchObject([{ minScore: '0.5' }]);
  });

  it.each<[string, object]>([
    ['`filters` as text', { filters: 'price > 3' }],
    ['one of several fields', { facetFilters: [['a:b', 'c:d']] }],
    ['several values of a at once', { facetFilters: ['a:b', 'a:c'] }],
    ['excluded values', { facetFilters: ['a:-b'] }],
    ['price!=3', { numericFilters: ['price!=3'] }],
    ['price<=1 or price>=3', { numericFilters: [['price<=1', 'price>=3']] }],
  ])('the adapter for InstantSearch refuses to filter by %s', async (what, params) => {
    await expect(search(params)).rejects.toThrow(`This service does not filter by ${what}`);
    expect(asked()).toEqual([]);
  });

  it('the adapter for InstantSearch counts the facets of a search, and all of them for *', async () => {
    found = { results: [RESULT], totalResults: 1, timingMs: 1, facets: FACETS.slice(0, 1) };
    expect(await search({ facets: ['tags'] })).toMatchObject({ facets: { tags: { shop: 3 } } });
    expect(await search({ facets: ['*'] })).toMatchObject({
      hits: [{ url: RESULT.url }],
      facets: { tags: { shop: 3 }, price: {}, publishedAt: {} },
      facets_stats: { price: { min: 1, max: 9 } },
    });
    expect(asked().map((each) => [each.path, 'facets' in each && each.facets])).toEqual([
      ['sites/s/search', 'tags'],
      ['sites/s/search', false],
      ['sites/s/facets', false],
    ]);
  });

  it('the adapter for InstantSearch leaves out facets that the site does not have', async () => {
    await search({ facets: ['nonsense', 'tags'] });
    expect(asked()).toMatchObject([{ facets: 'nonsense,tags' }, { path: 'sites/s/facets' }, { facets: 'tags' }]);
  });

  it('the adapter for InstantSearch finds values of a facet', async () => {
    const params = {
      facetName: 'tags',
      facetQuery: 'off',
      query: 'hours',
      facetFilters: ['language:en'],
      highlightPreTag: '[',
      highlightPostTag: ']',
    };
    const [answer] = await instantsearch().searchForFacetValues([{ indexName: 'i', params }]);
    const facetHits = [{ value: 'Office', highlighted: '[Office]', count: 1 }];
    expect(answer).toMatchObject({ facetHits });
    expect(asked()).toEqual([{ path: 'sites/s/facets', q: 'hours', filters: '{"language":["en"]}' }]);
    const single = { facetName: 'tags', searchForFacetValuesRequest: { facetQuery: 'x' } };
    expect(await instantsearch().searchForFacetValues(single)).toMatchObject({ facetHits: [] });
    const range = [{ params: { facetName: 'price' } }];
    expect(await instantsearch().searchForFacetValues(range)).toMatchObject([{ facetHits: [] }]);
  });

  it('the adapter for InstantSearch asks for several lists at once', async () => {
    const requests = [
      { indexName: 'a', params: { query: 'x' } },
      { indexName: 'b', params: { query: 'y' } },
    ];
    const { results } = await instantsearch().search(requests);
    expect(results.map(({ index, query }) => [index, query])).toEqual([
      ['a', 'x'],
      ['b', 'y'],
    ]);
  });
});
