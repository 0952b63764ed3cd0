import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Admin, createAdmin } from '../../packages/client/src/admin.ts';
import {
  type ChatEvent,
  createClient,
  docsearchClient,
  instantsearchClient,
} from '../../packages/client/src/site-search.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';

const PAGES = [
  {
    url: '/prices',
    content: '<h1>Prices</h1><h2 id="team">Team plan</h2><p>The team plan costs 40 euros a month for ten people.</p>',
    tags: ['money'],
  },
  { url: '/refunds', content: '<h1>Refunds</h1><p>Refunds are paid within 14 days.</p>', tags: ['money', 'law'] },
];

describe('the client, on a running service,', () => {
  let service: LocalService;
  let admin: Admin;
  let site: string;
  let group: string;

  beforeAll(async () => {
    service = await LocalService.start();
    admin = createAdmin({ api: service.ready.baseUrl, key: service.ready.apiKey });
    const publicAccess = { enabled: true, allowedDomains: ['*'] };
    const made = await admin('POST /sites', { body: { name: 'Shop', baseUrl: 'https://shop.example/' } });
    site = made.siteId;
    await admin('PUT /sites/{siteId}', { path: { siteId: site }, body: { publicAccess } });
    const { processed } = await admin('POST /sites/{siteId}/pages', { path: { siteId: site }, body: { pages: PAGES } });
    expect(processed).toBe(2);
    group = (await admin('POST /groups', { body: { name: 'All', siteIds: [site], publicAccess } })).groupId;
  });
  afterAll(() => service.end());

  const clients = () => {
    const api = service.ready.publicUrl;
    return [createClient({ api, site }), createClient({ api, group })] as const;
  };

  it('the client on a running service searches, suggests and counts in a site and in a group', async () => {
    for (const client of clients()) {
      const { results, facets } = await client.search('team plan', { filters: { tags: 'money' }, facets: ['tags'] });
      expect(results[0]).toMatchObject({ url: 'https://shop.example/prices', section: { anchor: 'team' } });
      expect(facets).toMatchObject([{ name: 'tags', values: [{ value: 'money' }] }]);
      expect((await client.suggest('ref')).suggestions).toMatchObject([{ text: 'Refunds', type: 'page' }]);
      const [tags] = (await client.facets({ q: 'refunds' })).facets;
      expect(tags).toMatchObject({ name: 'tags', values: [{ value: 'law' }, { value: 'money' }] });
    }
  });

  it('the client on a running service searches for long texts', async () => {
    const query = `What does the team plan cost? ${'I would like to know. '.repeat(90)}`.slice(0, 2000);
    expect((await clients()[0].search(query, { minScore: 0 })).results[0]?.url).toBe('https://shop.example/prices');
  });

  it('the client on a running service reads an answer while it is written, with its sources first', async () => {
    for (const client of clients()) {
      const events: ChatEvent[] = [];
      for await (const event of client.chat('How much is the team plan?')) events.push(event);
      expect(events[0]).toMatchObject({ type: 'sources', sources: [{ url: 'https://shop.example/prices' }] });
      const said = events.map((event) => (event.type === 'token' ? event.text : '')).join('');
      expect(said).toContain('40 euros');
      expect(events.at(-1)).toMatchObject({ type: 'done', answer: said, degraded: false });
    }
  });

  it('the client on a running service records clicks and feedback', async () => {
    const [client, ofGroup] = clients();
    const url = 'https://shop.example/prices';
    const { results } = await ofGroup.search('team plan');
    await client.recordClick({ query: 'team plan', url, position: 1 });
    await ofGroup.recordClick({ query: 'team plan', url, position: 1, site: results[0]?.siteId ?? '' });
    await client.feedback({ query: 'When?', helpful: false });
    await eventually(async () => {
      const { clicks, feedback } = await admin('GET /analytics', { query: { siteId: site } });
      return (clicks?.total === 2 && clicks.meanPosition === 1 && feedback?.unhelpful === 1) || undefined;
    });
  });

  it('the client on a running service has the codes of the service', async () => {
    const [client] = clients();
    await expect(client.search('x', { limit: 500 })).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'query.limit' }],
    });
    await expect(client.search('x', { filters: { colour: 'red' } })).rejects.toMatchObject({
      code: 'unknown_filter_field',
    });
    await expect(createClient({ api: service.ready.publicUrl, site: group }).suggest('x')).rejects.toMatchObject({
      code: 'not_found',
      status: 404,
    });
    await expect(createAdmin({ api: service.ready.baseUrl, key: 'ssk_x' })('GET /sites')).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  it('the client on a running service feeds DocSearch and InstantSearch', async () => {
    const options = { api: service.ready.publicUrl, site };
    const requests = [{ query: 'team plan', facetFilters: [['docusaurus_tag:default']] }];
    const [docs] = (await docsearchClient(options).search({ requests })).results;
    expect(docs?.hits[0]).toMatchObject({
      url: 'https://shop.example/prices#team',
      hierarchy: { lvl0: 'shop.example', lvl1: 'Prices', lvl2: 'Team plan' },
    });
    const [list] = (await instantsearchClient(options).search([{ params: { query: 'refunds', facets: ['*'] } }]))
      .results;
    expect(list).toMatchObject({ hits: [{ title: 'Refunds', tags: ['money', 'law'] }], facets: { tags: { law: 1 } } });
  });

  it('the client on a running service removes what it made', async () => {
    expect(await admin('DELETE /groups/{groupId}', { path: { groupId: group } })).toBeUndefined();
    expect(await admin('DELETE /sites/{siteId}', { path: { siteId: site } })).toMatchObject({ success: true });
  });
});
