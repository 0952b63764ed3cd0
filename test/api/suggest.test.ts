import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import type { TestApi } from '../support/test-api.ts';

const OPEN = { enabled: true, allowedDomains: ['*'] };
const html = (title: string, id: string, text: string): string =>
  `<h1>${title}</h1><p>About it.</p><h2 id="${id}">Details</h2><p>${text}</p>`;

describe('suggestions, prefixes, typos and sections over HTTP', () => {
  let service: TestApi;
  let owner: ApiClient;
  let siteId: string;
  let groupId: string;

  beforeAll(async () => {
    service = await openApi();
    owner = service.client(service.ready.apiKey);
    siteId = await service.createSite('https://lamps.example/');
    const pages = [
      { url: '/storm', title: 'Storm lanterns', content: html('Storm lanterns', 'wind', 'They burn in any wind.') },
      { url: '/paper', title: 'Paper lanterns', content: html('Paper lanterns', 'candle', 'They hold a candle.') },
    ];
    const sent = await owner('POST', `/api/sites/${siteId}/pages`, { body: { pages } });
    expect(sent.status).toBe(200);
    const { body } = await owner('POST', '/api/groups', {
      body: { name: 'All', siteIds: [siteId], publicAccess: OPEN },
    });
    groupId = String(body.groupId);
  });
  afterAll(() => service.end());

  const get = (path: string): Promise<Answer> => service.client()('GET', `/v1/public/${path}`);
  const search = (query: string): Promise<Answer> => get(`sites/${siteId}/search?${query}`);
  const titles = ({ body }: Answer) => listOf(body.suggestions).map(({ text }) => text);

  it('suggestions are pages of a site or of a group', async () => {
    const answer = await get(`sites/${siteId}/suggest?q=sto`);
    expect(answer.body).toEqual({
      suggestions: [{ text: 'Storm lanterns', type: 'page', url: 'https://lamps.example/storm' }],
    });
    expect(titles(await get(`sites/${siteId}/suggest?q=paepr+lan`))).toEqual(['Paper lanterns']);
    expect(titles(await get(`groups/${groupId}/suggest?q=lantern`))).toHaveLength(2);
    expect(titles(await get(`groups/${groupId}/suggest?q=%F0%9F%92%A1`))).toEqual([]);
  });

  it('suggestions begin with queries of five visitors or more', async () => {
    const byVisitor = (n: number, q: string) =>
      service.client()('GET', `/v1/public/sites/${siteId}/search?q=${q}`, { address: `198.51.100.${n}` });
    for (let n = 0; n < 5; n++) await byVisitor(n, 'storm+lantern+wick');
    for (let n = 0; n < 4; n++) await byVisitor(n, 'storm+shelter');
    const suggested = async () => listOf((await get(`sites/${siteId}/suggest?q=storm`)).body.suggestions);
    await eventually(async () => (await suggested()).length === 2);
    expect(await suggested()).toEqual([
      { text: 'storm lantern wick', type: 'query' },
      { text: 'Storm lanterns', type: 'page', url: 'https://lamps.example/storm' },
    ]);
  });

  it('a suggestion needs text and an open site', async () => {
    expect((await get(`sites/${siteId}/suggest?q=`)).status).toBe(400);
    expect((await get(`groups/${groupId}/suggest`)).status).toBe(400);
    const closed = await owner('POST', '/api/sites', { body: { name: 'Closed', baseUrl: 'https://closed.example/' } });
    expect((await get(`sites/${closed.body.siteId}/suggest?q=x`)).status).toBe(403);
  });

  it('a search completes and corrects words, unless `exact` or `autocomplete` say otherwise', async () => {
    const found = async (query: string) => listOf((await search(query)).body.results).length;
    expect(await found('q=lante')).toBe(2);
    expect(await found('q=lante&autocomplete=0&exact=1')).toBe(0);
    expect(await found('q=lante&exact=true')).toBe(0);
    const { body } = await search('q=strom+lanterns');
    expect(body.corrections).toEqual([{ from: 'strom', to: 'storm' }]);
    expect(listOf(body.results)[0]).toMatchObject({ url: 'https://lamps.example/storm' });
  });

  it('a result names the section of its snippet, and further sections', async () => {
    const [first] = listOf((await search('q=candle')).body.results);
    expect(first).toMatchObject({ url: 'https://lamps.example/paper' });
    expect(first?.section).toEqual({ heading: 'Details', anchor: 'candle' });
    expect(first).not.toHaveProperty('sections');
    expect(listOf((await search('q=candle&sections=2')).body.results)[0]).toHaveProperty('sections');
  });

  it('a search by POST completes and corrects in the same way', async () => {
    const body = { query: 'strom lanterns', exact: false, autocomplete: true, sections: 1 };
    const posted = await service.client()('POST', `/v1/public/groups/${groupId}/search`, { body });
    expect(posted.body.corrections).toEqual([{ from: 'strom', to: 'storm' }]);
    const refused = await service.client()('POST', `/v1/public/sites/${siteId}/search`, {
      body: { query: 'x', exact: 'yes', sections: 9 },
    });
    expect([refused.status, listOf(refused.body.issues).map(({ path }) => path)]).toEqual([
      400,
      ['body.exact', 'body.sections'],
    ]);
  });

  it('a search refuses values that are no flags or numbers', async () => {
    const refused = await search('q=x&exact=maybe&autocomplete=2&sections=-1');
    expect([refused.status, listOf(refused.body.issues).map(({ path }) => path)]).toEqual([
      400,
      ['query.autocomplete', 'query.exact', 'query.sections'],
    ]);
  });
});
