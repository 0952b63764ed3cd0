import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { LanternSite, pathsOf } from '../support/lantern-site.ts';

describe('the filters and facets of a search', () => {
  let site: LanternSite;

  beforeAll(async () => {
    site = await LanternSite.open();
  });
  afterAll(() => site.close());

  it.each([
    [{ tags: 'News' }, ['/news/lantern']],
    [{ tags: ['News', 'Odd'] }, ['/lamps/paper', '/lamps/railway', '/news/lantern']],
    [{ tags: 'Lamp', publishedAt: { gte: '2024-03-15', lte: '2024-04-15' } }, ['/lamps/railway', '/lamps/storm']],
    [{ publishedAt: '2024-03-15' }, ['/lamps/storm', '/news/lantern']],
    [{ publishedAt: { gte: '2024-03-15T12:00:00Z', lte: '2024-03-31' } }, ['/news/lantern']],
    [{ publishedAt: { gte: '2024-05-16' } }, []],
    [{ publishedAt: ['2024-03-15', '2024-05-15'] }, ['/lamps/garden', '/lamps/storm', '/news/lantern']],
    [{ url: { prefix: '/news/' } }, ['/news/lantern']],
    [{ url: { prefix: 'https://other.example/' } }, []],
    [{ language: 'de' }, ['/de/laterne']],
    [{ language: ['de', 'fr'], tags: 'News' }, []],
    [{ tags: 'news' }, []],
  ])('apply the filters %j', async (filters, found) => {
    const answer = await site.lantern({ filters });
    expect([...pathsOf(answer)].sort()).toEqual(found);
    expect(answer.body.totalResults).toBe(found.length);
  });

  it.each([
    [{ price: 1 }, 'unknown_filter_field'],
    [{ constructor: 'x' }, 'unknown_filter_field'],
    [{ siteId: 'x' }, 'unknown_filter_field'],
    [{ tags: 'a', __proto: 1 }, 'unknown_filter_field'],
    [{ tags: { gte: 1 } }, 'invalid_request'],
    [{ publishedAt: 'yesterday' }, 'invalid_request'],
    [{ publishedAt: { gte: '2024-02-30' } }, 'invalid_request'],
    [{ url: '/lamps/' }, 'invalid_request'],
    [{ url: { prefix: '' } }, 'invalid_request'],
    [{ tags: { prefix: 'a' } }, 'invalid_request'],
    [{ tags: [] }, 'invalid_request'],
    [{ tags: { like: 'a' } }, 'invalid_request'],
    [{ tags: null }, 'invalid_request'],
  ])('refuse the filters %j', async (filters, code) => {
    expect(await site.lantern({ filters })).toMatchObject({ status: 400, body: { code } });
    const encoded = encodeURIComponent(JSON.stringify(filters));
    expect(await site.get(`q=lantern&filters=${encoded}`)).toMatchObject({ status: 400, body: { code } });
  });

  it('use fields that pages carry without a declaration, by value alone', async () => {
    const page = {
      url: '/carried',
      content: 'A lantern of policies.',
      metadata: { content_type: 'policy', weight: 3 },
    };
    const pages = `/api/sites/${site.siteId}/pages`;
    expect((await site.owner('POST', pages, { body: { pages: [page] } })).body).toMatchObject({ processed: 1 });
    for (const filters of [{ content_type: 'policy' }, { content_type: ['page', 'policy'] }, { weight: 3 }])
      expect(pathsOf(await site.lantern({ filters }))).toEqual(['/carried']);
    const none = await site.lantern({ filters: { content_type: 'page' } });
    expect(none).toMatchObject({ status: 200, body: { results: [] } });
    const range = await site.lantern({ filters: { weight: { gte: 1 } } });
    expect(range).toMatchObject({ status: 400, body: { issues: [{ path: 'filters.weight' }] } });
    const misspelt = await site.lantern({ filters: { langauge: 'en' } });
    expect(misspelt).toMatchObject({ status: 400, body: { code: 'unknown_filter_field' } });
    expect(String(misspelt.body.error)).toContain('Did you mean language?');
    expect(await site.lantern({ filters: { contenttype: 'policy' } })).toMatchObject({ status: 400 });
    await site.owner('DELETE', pages, { body: { urls: ['/carried'] } });
  });

  it('use only the fields of the schema, and name them in the error for another field', async () => {
    await site.set({
      metadataSchema: [
        { name: 'price', type: 'number', facet: true },
        { name: 'colour', type: 'string' },
      ],
    });
    expect(await site.lantern({ filters: { price: { gte: 1 }, colour: 'red' } })).toMatchObject({
      status: 200,
      body: { results: [] },
    });
    expect(await site.lantern({ filters: { price: 'cheap' } })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'filters.price' }] },
    });
    expect(String((await site.lantern({ filters: { size: 1 } })).body.error)).toMatch(
      /size.*tags, language, publishedAt, url, price, colour/,
    );
    expect(await site.lantern({ facets: ['price'] })).toMatchObject({ status: 200, body: { facets: [] } });
    expect(await site.lantern({ facets: ['colour'] })).toMatchObject({
      status: 400,
      body: { code: 'unknown_filter_field' },
    });
    await site.set({ metadataSchema: [] });
  });

  it('count the tags of all matching pages, not only of those returned', async () => {
    const values = [
      ...[
        { value: 'Lamp', count: 5 },
        { value: 'Even', count: 3 },
        { value: 'Odd', count: 2 },
      ],
      { value: 'News', count: 1 },
    ];
    const tags = [{ name: 'tags', label: 'Tags', type: 'string', values }];
    expect((await site.lantern({ limit: 1, facets: ['tags'] })).body.facets).toEqual(tags);
    expect((await site.get('q=lantern&minScore=0&facets=tags')).body.facets).toEqual(tags);
    expect((await site.lantern()).body).not.toHaveProperty('facets');
  });

  it('find the same results with facets as without', async () => {
    const [without, having] = [await site.lantern(), await site.lantern({ facets: ['tags', 'language'] })];
    expect(having.body.results).toEqual(without.body.results);
    expect(having.body.totalResults).toBe(without.body.totalResults);
  });
});
