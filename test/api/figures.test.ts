import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { table } from '#adapters/table';
import { recordAiUse } from '../../lambdas/domain/sites/usage/ai-usage.ts';
import { logChat } from '../../lambdas/runtime/event-logging.ts';
import { type Json, listOf } from '../support/answer.ts';
import { InProcessApi } from '../support/in-process-api.ts';

const today = (): string => new Date().toISOString().slice(0, 10);

describe('analytics', () => {
  let service: InProcessApi;
  beforeAll(async () => {
    service = await InProcessApi.open({ workers: false });
  });
  afterAll(() => service.end());

  const newSite = async (pages: readonly string[] = ['gopher']): Promise<string> => {
    const siteId = await service.createSite('https://www.example/');
    const given = pages.map((content) => ({ url: `/${content}`, title: content, content, contentType: 'text' }));
    await service.api('POST', `/sites/${siteId}/pages`, { pages: given });
    return siteId;
  };
  const search = (siteId: string, q: string, more = '', headers = {}) =>
    service.visit(`/public/sites/${siteId}/search?q=${encodeURIComponent(q)}${more}`, { headers });
  const record = (siteId: string, event: object) =>
    service.visit(`/public/sites/${siteId}/events`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(event),
    });
  const get = async (path: string): Promise<Json> => {
    const { status, body } = await service.client(service.ready.apiKey)('GET', `/api${path}`);
    expect(status).toBe(200);
    return body;
  };

  it('analytics count every first page of results, by GET and by POST, with and without results', async () => {
    const siteId = await newSite();
    await search(siteId, ' Gopher ');
    await search(siteId, 'gopher', '&limit=1&minScore=0');
    await search(siteId, 'gopher', '&offset=10');
    await search(siteId, 'xyzzy');
    await search(siteId, '');
    await service.visit(`/public/sites/${siteId}/search`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'GOPHER' }),
    });
    await service.visit(`/public/sites/${siteId}/facets?q=gopher`);
    const body = await get(`/analytics?range=7d&siteId=${siteId}`);
    expect(body).toMatchObject({
      totalSearches: 4,
      totalChats: 0,
      totalPagesIndexed: 1,
      topQueries: [
        { query: 'gopher', count: 3 },
        { query: 'xyzzy', count: 1 },
      ],
      siteBreakdown: [{ id: siteId, name: 'Test', pagesIndexed: 1, searches: 4, chats: 0 }],
      zeroResults: { searches: 1, queries: [{ query: 'xyzzy', count: 1 }] },
    });
    const days = listOf(body.dailyUsage);
    expect(days).toHaveLength(7);
    expect(days.at(-1)).toEqual({ date: today(), searches: 4, chats: 0 });
    expect(days.map(({ date }) => date)).toEqual(days.map(({ date }) => date).toSorted());
    expect(days[0]).toMatchObject({ searches: 0, chats: 0 });
    expect(await get(`/sites/${siteId}/top-queries?limit=1`)).toEqual({
      siteId,
      range: '30d',
      topQueries: [{ query: 'gopher', count: 3 }],
    });
  });

  it('analytics count a group’s searches for the organisation, and not for its sites', async () => {
    const siteId = await newSite();
    const before = Number((await get('/analytics')).totalSearches);
    const { body: group } = await service.api('POST', '/groups', {
      name: 'All',
      siteIds: [siteId],
      publicAccess: { enabled: true, allowedDomains: ['*'] },
    });
    await service.visit(`/public/groups/${group.groupId}/search?q=in+the+group`);
    const organisation = await get('/analytics');
    expect(organisation.totalSearches).toBe(before + 1);
    expect(listOf(organisation.topQueries)).toContainEqual({ query: 'in the group', count: 1 });
    expect(listOf(organisation.siteBreakdown).find(({ id }) => String(id) === siteId)).toMatchObject({ searches: 0 });
    expect(await get(`/analytics?siteId=${siteId}`)).toMatchObject({ totalSearches: 0, topQueries: [] });
  });

  it('analytics distinguish clicks, feedback and chats from searches', async () => {
    const siteId = await newSite();
    for (let n = 0; n < 4; n++) await search(siteId, 'gopher');
    for (const position of [1, 4])
      expect(
        (await record(siteId, { type: 'click', query: 'Gopher', url: 'https://www.example/g', position })).status,
      ).toBe(202);
    await record(siteId, { type: 'feedback', query: 'why', helpful: true, comment: 'ada@example.org' });
    await record(siteId, { type: 'feedback', sessionId: 's', helpful: false });
    const chat = { degraded: false, tokens: 120, savedTokens: 30, model: 'gpt-4o-mini' };
    logChat({ orgId: service.ready.orgId, siteId }, { ...chat, query: 'How?', refused: false });
    logChat({ orgId: service.ready.orgId, siteId }, { ...chat, query: 'Why?', refused: true });
    expect(await get(`/analytics?siteId=${siteId}`)).toMatchObject({
      totalSearches: 4,
      totalChats: 2,
      topQueries: [{ query: 'gopher', count: 4 }],
      clicks: { total: 2, rate: 0.5, meanPosition: 2.5 },
      feedback: { helpful: 1, unhelpful: 1 },
      refusals: { chats: 1, questions: [{ query: 'why?', count: 1 }] },
      savedTokens: 60,
    });
    const outcomes = listOf((await get(`/analytics?range=7d&siteId=${siteId}`)).dailyOutcomes);
    expect(outcomes).toHaveLength(7);
    expect(outcomes[0]).toMatchObject({ zeroResults: 0, clicks: 0, meanPosition: null });
    expect(outcomes.at(-1)).toEqual({
      ...{ date: today(), zeroResults: 0, clicks: 2, meanPosition: 2.5 },
      ...{ refusals: 1, helpful: 1, unhelpful: 1 },
    });
    const usage = await get(`/sites/${siteId}/usage?range=1d`);
    expect(usage).toEqual({
      siteId,
      range: '1d',
      searches: 4,
      chats: 2,
      totalTokens: 240,
      daily: [{ date: today(), searches: 4, chats: 2 }],
    });
  });

  it('analytics contain no personal data of a query', async () => {
    const siteId = await newSite();
    await search(siteId, 'Refund for ada.lovelace@example.org, card 4111 1111 1111 1111');
    const { topQueries } = await get(`/sites/${siteId}/top-queries`);
    expect(topQueries).toEqual([{ query: 'refund for [mail], card [number]', count: 1 }]);
  });

  it('analytics group unanswered queries by meaning', async () => {
    const siteId = await newSite(['gopher', 'tortoise']);
    for (const q of ['zxqv refund policy', 'zxqv refund policy', 'zxqv refunds policies']) await search(siteId, q);
    for (const q of ['gopher', 'tortoise', 'tortoise']) await search(siteId, q);
    await record(siteId, { type: 'click', query: 'gopher', url: 'https://www.example/gopher', position: 1 });
    const { gaps } = await get(`/sites/${siteId}/content-gaps`);
    const none = { noResults: 0, noClick: 0, refused: 0, agents: 0 };
    expect(gaps).toEqual([
      {
        ...none,
        query: 'zxqv refund policy',
        count: 3,
        noResults: 3,
        queries: 2,
        examples: [
          { query: 'zxqv refund policy', count: 2 },
          { query: 'zxqv refunds policies', count: 1 },
        ],
      },
      {
        ...none,
        query: 'tortoise',
        count: 2,
        noClick: 2,
        queries: 1,
        examples: [{ query: 'tortoise', count: 2 }],
      },
    ]);
  });

  it('analytics are 404 for a site of another organisation, and 0 for an organisation without sites', async () => {
    const siteId = await newSite();
    const other = service.client((await service.makeOrganisation('pro')).apiKey);
    for (const path of [
      `/analytics?siteId=${siteId}`,
      `/sites/${siteId}/usage`,
      `/sites/${siteId}/top-queries`,
      `/sites/${siteId}/content-gaps`,
    ])
      expect((await other('GET', `/api${path}`)).status).toBe(404);
    const { body } = await other('GET', '/api/analytics');
    expect(body).toMatchObject({ totalSearches: 0, siteBreakdown: [], topQueries: [] });
    expect(listOf(body.dailyUsage)).toHaveLength(30);
    expect((await other('GET', '/api/usage')).body).toMatchObject({ ai: { totalTokens: 0, models: [] } });
  });

  it.each(['0d', '366d', '1000d', '7', 'd', '07d', '-1d', '7 d', '30D', '1h'])('refuse the range %s', async (range) => {
    const siteId = await newSite();
    const client = service.client(service.ready.apiKey);
    for (const path of ['/analytics', `/sites/${siteId}/usage`, `/sites/${siteId}/top-queries`])
      expect((await client('GET', `/api${path}?range=${encodeURIComponent(range)}`)).status).toBe(400);
  });

  it('analytics can cover a year of days', async () => {
    expect(listOf((await get('/analytics?range=365d')).dailyUsage)).toHaveLength(365);
  });

  it('analytics require a key', async () => {
    for (const path of ['/analytics', '/usage'])
      expect((await service.client()('GET', `/api${path}`)).status).toBe(401);
  });

  describe('the usage of a month', () => {
    it('the usage of a month contains the calls of models with their costs by day and kind, pages, searches and chats', async () => {
      const { orgId, apiKey } = await service.makeOrganisation('pro');
      const deps = (day: string) => ({ table, clock: () => Date.parse(day) });
      const million = 1_000_000;
      await recordAiUse(
        orgId,
        { kind: 'ingest', model: 'text-embedding-3-small', requests: 2, inputTokens: million },
        deps('2026-10-30'),
      );
      await recordAiUse(
        orgId,
        { kind: 'chat', model: 'gpt-4o-mini', requests: 1, inputTokens: million, outputTokens: 10, savedTokens: 5 },
        deps('2026-10-31'),
      );
      await recordAiUse(orgId, { kind: 'chat', model: 'unheard-of', requests: 1, inputTokens: 7 }, deps('2026-10-31'));
      await recordAiUse(orgId, { kind: 'chat', model: 'unheard-of', requests: 1, inputTokens: 7 }, deps('2026-11-01'));
      const { body } = await service.client(apiKey)('GET', '/api/usage?month=2026-10');
      expect(body).toEqual({
        month: '2026-10',
        ai: {
          totalRequests: 4,
          totalInputTokens: 2 * million + 7,
          totalOutputTokens: 10,
          totalTokens: 2 * million + 17,
          savedTokens: 5,
          estimatedCost: 0.170006,
          ingest: { requests: 2, tokens: million },
          chat: { requests: 2, tokens: million + 17 },
          models: [
            {
              model: 'text-embedding-3-small',
              requests: 2,
              inputTokens: million,
              outputTokens: 0,
              estimatedCost: 0.02,
            },
            { model: 'gpt-4o-mini', requests: 1, inputTokens: million, outputTokens: 10, estimatedCost: 0.150006 },
            { model: 'unheard-of', requests: 1, inputTokens: 7, outputTokens: 0, estimatedCost: null },
          ],
          days: [
            { date: '2026-10-30', kind: 'ingest', requests: 2, tokens: million, savedTokens: 0, estimatedCost: 0.02 },
            {
              date: '2026-10-31',
              kind: 'chat',
              requests: 2,
              tokens: million + 17,
              savedTokens: 5,
              estimatedCost: 0.150006,
            },
          ],
        },
        vectorDb: { totalCollections: 0, totalDocuments: 0 },
        searches: { total: 0, chat: 0 },
      });
    });

    it('the usage of a month is that of the current month by default, and counts searches without chats', async () => {
      const body = await get('/usage');
      const { totalSearches, totalChats, totalPagesIndexed } = await get('/analytics?range=1d');
      expect(body).toMatchObject({
        month: today().slice(0, 7),
        vectorDb: { totalDocuments: totalPagesIndexed },
        searches: { total: totalSearches, chat: totalChats },
      });
      expect(Number(totalChats)).toBeGreaterThan(0);
    });

    it.each(['2026-13', '2026-00', '2026', '2026-1', '26-10', '2026-10-01'])('refuse %s', async (month) => {
      expect((await service.client(service.ready.apiKey)('GET', `/api/usage?month=${month}`)).status).toBe(400);
    });

    it.each(['2019-02', '2099-12', '0000-01', '9999-12'])('are 0 in %s', async (month) => {
      expect((await get(`/usage?month=${month}`)).searches).toEqual({ total: 0, chat: 0 });
    });
  });

  it.each([
    { type: 'click', query: 'a', url: 'https://a.example/', position: 0 },
    { type: 'click', query: 'a', position: 1 },
    { type: 'feedback', helpful: true },
    { type: 'feedback', query: 'a' },
    { type: 'view', query: 'a' },
  ])('refuse the event %j', async (event) => {
    expect((await record(await newSite(), event)).status).toBe(400);
  });
});
