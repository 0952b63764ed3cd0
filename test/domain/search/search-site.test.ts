import { beforeAll, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '../../../lambdas/domain/errors.ts';
import type { Embedder } from '../../../lambdas/domain/ports/embedder.ts';
import type { SiteScope } from '../../../lambdas/domain/ports/page-index.ts';
import type { SearchRequest } from '../../../lambdas/domain/search/search-request.ts';
import { type SearchAnswer, searchSite } from '../../../lambdas/domain/search/search-site.ts';
import type { SiteRecord, SiteSettings } from '../../../lambdas/domain/sites/site.ts';
import {
  NEW_CRAWLER_CONFIG,
  NEW_PUBLIC_ACCESS,
  NEW_REMOVAL_POLICY,
} from '../../../lambdas/domain/sites/site-settings.ts';
import { originOf } from '../../../lambdas/text/web/url.ts';
import { embeddedAt, indexEntry, newScope, queryVectorAt } from '../../support/index-entries.ts';
import { pageIndex } from '../../support/memory/stores.ts';

/** Every query has the same vector; a test sets a page's angle to it. */
const embedder: Embedder = {
  space: 'test',
  dimensions: 384,
  embedTexts: async () => [],
  embedQuery: async () => queryVectorAt(0),
};

function siteOf({ siteId, generation }: SiteScope, settings: Partial<SiteSettings> = {}): SiteRecord {
  return {
    settings: {
      siteId,
      orgId: 'o',
      version: 1,
      name: 'Test',
      baseUrl: 'https://example.org/docs/',
      createdAt: 0,
      publicAccess: NEW_PUBLIC_ACCESS,
      rateLimits: {},
      crawlerConfig: NEW_CRAWLER_CONFIG,
      metadataSchema: [],
      tagBoosts: [],
      urlBoosts: [],
      removalPolicy: NEW_REMOVAL_POLICY,
      ...settings,
    },
    state: { runningJobId: null, pageCount: 0, revision: 0, generation, languages: ['en'] },
  };
}

describe('searching a site', () => {
  const scope = newScope();

  beforeAll(async () => {
    const crowd = Array.from({ length: 120 }, (_, n) =>
      indexEntry(scope, { url: `https://example.org/crowd/${n}`, title: 'Tide', texts: [`The tide of day ${n}.`] }),
    );
    const far = indexEntry(scope, {
      url: 'https://example.org/far',
      title: 'Far from it',
      tags: ['Far'],
      texts: [`Once, among many other words, a tide. ${'Nothing more is said of it. '.repeat(60)}`],
    });
    const meant = indexEntry(scope, {
      url: 'https://example.org/meant',
      title: 'Ebb and flow',
      texts: ['How the sea comes and goes.'],
      embedded: [embeddedAt(5)],
    });
    await pageIndex.put([...crowd, far, meant], { visible: 'now' });
  });

  const search = (
    request: Partial<SearchRequest>,
    {
      settings,
      within = scope,
      by = embedder,
    }: { settings?: Partial<SiteSettings>; within?: SiteScope; by?: Embedder } = {},
  ): Promise<SearchAnswer> =>
    searchSite(
      siteOf(within, settings),
      { query: 'tide', limit: 10, offset: 0, minScore: 0, ...request },
      { index: pageIndex, embedder: by, clock: () => 0 },
    );
  const urlsOf = ({ response }: SearchAnswer): readonly string[] => response.results.map(({ url }) => url);

  it('finds a page by its meaning alone', async () => {
    const answer = await search({ query: 'zoogkrult', minScore: 0.3 });
    expect(urlsOf(answer)).toEqual(['https://example.org/meant']);
    expect(answer.degraded).toBe(false);
  });

  it('finds nothing for unknown words while the embedder is unavailable, and reports it', async () => {
    const away: Embedder = { ...embedder, embedQuery: () => Promise.reject(new UnavailableError('away')) };
    const nowhere = await search({ query: 'zoogkrult' }, { by: away });
    expect([nowhere.degraded, urlsOf(nowhere)]).toEqual([true, []]);
    const words = await search({}, { by: away });
    expect(words.degraded).toBe(true);
    expect(words.response.results).toHaveLength(10);
  });

  it('does not hide an error of the embedder other than unavailability', async () => {
    const broken: Embedder = { ...embedder, embedQuery: () => Promise.reject(new TypeError('broken')) };
    await expect(search({}, { by: broken })).rejects.toThrow('broken');
  });

  it('gives the embedder 800 ms', async () => {
    const deadlines: number[] = [];
    const noting: Embedder = {
      ...embedder,
      embedQuery: async (_, deadlineMs) => {
        deadlines.push(deadlineMs);
        return undefined;
      },
    };
    expect((await search({}, { by: noting })).degraded).toBe(false);
    expect(deadlines).toEqual([800]);
  });

  it.each([
    [0, 10, 50],
    [50, 10, 120],
    [50, 35, 120],
  ])('shows no page twice from offset %i in steps of %i to %i', async (from, limit, to) => {
    const seen: string[] = [];
    for (let offset = from; offset < to; offset += limit) seen.push(...urlsOf(await search({ offset, limit })));
    expect(seen.length).toBeGreaterThanOrEqual(to - from);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('reports that more pages may pass than were scored', async () => {
    expect((await search({})).response.totalIsLowerBound).toBe(true);
    expect((await search({ query: 'goes' })).response).not.toHaveProperty('totalIsLowerBound');
  });

  it.each([
    ['tag', { tagBoosts: [{ tag: 'Far', boost: 100 }] }],
    ['path', { urlBoosts: [{ urlPrefix: '/far', boost: 100 }] }],
    ['URL', { urlBoosts: [{ urlPrefix: 'https://example.org/far', boost: 100 }] }],
    [
      'deboosting the crowd',
      {
        urlBoosts: [
          { urlPrefix: '/crowd', boost: 0.01 },
          { urlPrefix: '/meant', boost: 0.01 },
        ],
      },
    ],
  ])('raises by %s a page that is not among the first candidates', async (_, settings) => {
    expect(urlsOf(await search({ limit: 100 }))).not.toContain('https://example.org/far');
    expect(urlsOf(await search({ limit: 5 }, { settings }))[0]).toBe('https://example.org/far');
  });

  it('shows only the current generation, and no other site', async () => {
    const [old, other] = [{ ...scope, generation: 0 }, newScope()];
    await pageIndex.put(
      [indexEntry(old, { title: 'Tide of old' }), indexEntry(other, { title: 'Other tide', texts: ['tide'] })],
      { visible: 'now' },
    );
    for (const url of urlsOf(await search({ limit: 100 })))
      expect(url).toMatch(/^https:\/\/example\.org\/(?:crowd|meant)/);
    expect(urlsOf(await search({}, { within: other }))).toHaveLength(1);
    expect(urlsOf(await search({}, { within: newScope() }))).toEqual([]);
  });

  it.each([
    [{ domain: 'shop.example' }, 'https://shop.example/meant'],
    [{ domain: 'HTTP://shop.example:8080/x' }, 'http://shop.example:8080/meant'],
    [{ domain: 'no domain' }, 'https://example.org/meant'],
    [{ domain: 'shop.example', baseUrl: 'https://elsewhere.example/' }, 'https://example.org/meant'],
    [{ domain: 'shop.example', baseUrl: 'https://example.org:444/' }, 'https://example.org/meant'],
  ])('with %j shows %s', async (settings, url) => {
    expect(urlsOf(await search({ query: 'zoogkrult', minScore: 0.3 }, { settings }))).toEqual([url]);
  });

  describe('in which no page reaches minScore', () => {
    const noVector: Embedder = { ...embedder, embedQuery: async () => undefined };
    const nothing = async (request: Partial<SearchRequest>) =>
      (await search({ query: 'tide', minScore: 1, ...request }, { by: noVector })).response;

    it('names the three pages that come closest', async () => {
      const best = (await search({ query: 'tide', limit: 3 }, { by: noVector })).response.results;
      expect(await nothing({})).toMatchObject({ results: [], totalResults: 0, closest: best });
      expect(await nothing({ limit: 1 })).toMatchObject({ closest: best });
    });

    it('holds to filters, exclusions and quoted phrases', async () => {
      const far = { closest: [{ url: 'https://example.org/far' }] };
      expect(await nothing({ filters: { tags: 'Far' } })).toMatchObject(far);
      expect(await nothing({ query: 'tide -day' })).toMatchObject(far);
      expect(await nothing({ query: '"many other words"' })).toMatchObject(far);
    });

    it('names none that has nothing of the query', async () => {
      expect(await nothing({ query: 'zoogkrult' })).not.toHaveProperty('closest');
    });
  });

  it('names no closest pages beside results, on a later page of them, or of an empty site', async () => {
    expect((await search({ query: 'tide', minScore: 0.3 })).response).not.toHaveProperty('closest');
    expect((await search({ query: 'tide', minScore: 0.3, offset: 900 })).response).not.toHaveProperty('closest');
    expect((await search({ query: 'tide' }, { within: newScope() })).response).not.toHaveProperty('closest');
  });

  it('requires phrases and leaves out exclusions', async () => {
    expect(urlsOf(await search({ query: '"once among many" tide' }))).toEqual(['https://example.org/far']);
    const without = await search({ query: 'tide -"of day" -sea', limit: 100 });
    expect(urlsOf(without)).toEqual(['https://example.org/far']);
    expect(without.response.query).toBe('tide -"of day" -sea');
  });

  it.each(['-tide', '-"of day" -sea', '-""', '""'])('finds nothing by %s, and asks no embedder', async (query) => {
    const unasked: Embedder = { ...embedder, embedQuery: () => Promise.reject(new Error('asked')) };
    const { response, degraded } = await search({ query, facets: ['tags'] }, { by: unasked });
    expect([response.results, response.totalResults, degraded]).toEqual([[], 0, false]);
    expect(response.facets).toEqual([{ name: 'tags', label: 'Tags', type: 'string', values: [] }]);
  });

  it('marks the similar words that a misspelt word matched', async () => {
    const own = newScope();
    const texts = [`${'Nothing is said of it here. '.repeat(20)}The harbour keeps boats, and its harbours are deep.`];
    await pageIndex.put([indexEntry(own, { title: 'Ports', texts })], { visible: 'now' });
    for (const query of ['harbuor', 'the harbur boats']) {
      const { response } = await search({ query }, { within: own });
      const [{ snippet, highlights } = { snippet: '', highlights: [] }] = response.results;
      const marked = highlights.map(([start, end]) => snippet.slice(start, end));
      expect(marked.filter((word) => word !== 'boats')).toEqual(['harbour', 'harbours']);
    }
    const { response } = await search({ query: 'harbour zzzzboats' }, { within: own });
    expect(response.results[0]?.highlights).toHaveLength(2);
  });

  it.each([
    ['https://shop.example', undefined],
    ['https://shop.example/far', undefined],
    ['https://example.org/far', undefined],
    ['https://shop.example/far', 'https://example.org/'],
  ])('boosts once by the prefix %s as shown in results, on a site that has moved to %s', async (urlPrefix, moved) => {
    const { settings, state } = siteOf(scope, { domain: 'shop.example' });
    const of = async (urlBoosts: SiteSettings['urlBoosts']) => {
      const site = {
        settings: { ...settings, urlBoosts },
        state: { ...state, ...(moved && { effectiveBaseUrl: moved, effectiveFrom: originOf(settings.baseUrl) ?? '' }) },
      };
      const request = { query: 'words "Far from it"', limit: 1, offset: 0, minScore: 0 };
      const { response } = await searchSite(site, request, { index: pageIndex, embedder, clock: () => 0 });
      return response.results[0]?.score ?? 0;
    };
    expect(await of([{ urlPrefix, boost: 0.5 }])).toBeCloseTo(0.5 * (await of([])), 6);
  });

  it('shows the pages of a site that has moved under its domain too', async () => {
    const { settings, state } = siteOf(scope, { domain: 'shop.example', baseUrl: 'http://old.example.org/' });
    const moved = { effectiveBaseUrl: 'https://example.org/', effectiveFrom: 'http://old.example.org' };
    const site = { settings, state: { ...state, ...moved } };
    const request = { query: 'zoogkrult', limit: 10, offset: 0, minScore: 0.3 };
    const { response } = await searchSite(site, request, { index: pageIndex, embedder, clock: Date.now });
    expect(response.results.map(({ url }) => url)).toEqual(['https://shop.example/meant']);
  });
});
