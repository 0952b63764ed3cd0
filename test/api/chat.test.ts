import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { GUIDE_PAGES } from '../support/guide-pages.ts';
import type { TestApi } from '../support/test-api.ts';

describe('chat without a provider', () => {
  let service: TestApi;
  let owner: ApiClient;
  let visitor: ApiClient;
  let siteId: string;
  let path: string;

  beforeAll(async () => {
    service = await openApi();
    owner = service.client(service.ready.apiKey);
    visitor = service.client();
    siteId = await service.createSite('https://www.example/');
    path = `/v1/public/sites/${siteId}/chat`;
    await owner('POST', `/api/sites/${siteId}/pages`, { body: { pages: GUIDE_PAGES } });
  });
  afterAll(() => service.end());

  const ask = (body: object, at = path): Promise<Answer> => visitor('POST', at, { body });
  const urlsOf = ({ body }: Answer) => listOf(body.sources).map(({ url }) => new URL(String(url)).pathname);
  const set = (publicAccess: object) => owner('PUT', `/api/sites/${siteId}`, { body: { publicAccess } });

  it('a chat is counted in analytics, with the questions that were refused', async () => {
    const other = await service.createSite('https://other.example/');
    const at = `/v1/public/sites/${other}/chat`;
    await ask({ message: 'What does the team plan cost?' }, at);
    await ask({ query: 'Why?' }, at);
    const figures = async () => (await owner('GET', `/api/analytics?siteId=${other}`)).body;
    await eventually(async () => Number((await figures()).totalChats) === 2);
    expect(await figures()).toMatchObject({ totalSearches: 0, refusals: { chats: 2 } });
  });

  it('quotes the sentences that answer, with their page', async () => {
    const { status, body, headers } = await ask({ message: 'What does the team plan cost?' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ answer: 'The team plan costs 40 euros a month for ten people. [1]', tokensUsed: 0 });
    expect(body.response).toBe(body.answer);
    const [source] = listOf(body.sources);
    expect(source).toMatchObject({ url: 'https://www.example/prices', title: 'Prices' });
    expect(source?.relevance).toBe(source?.score);
    expect(headers.get('x-answer-degraded')).toBeNull();
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  it('gives the same answer to `query` as to `message`', async () => {
    const byQuery = await ask({ query: 'What does the team plan cost?' });
    const byMessage = await ask({ message: 'What does the team plan cost?' });
    expect(byQuery.body.answer).toBe(byMessage.body.answer);
    expect((await ask({ message: 'a', query: 'b' })).status).toBe(400);
    expect((await ask({})).body).toMatchObject({ code: 'invalid_request' });
  });

  it.each([
    ['How tall is the Eiffel tower?', 'These pages do not answer this question.'],
    ['Wie hoch ist der Eiffelturm?', 'Diese Seiten beantworten die Frage nicht.'],
    ['Quelle est la hauteur de la tour Eiffel ?', 'Ces pages ne répondent pas à cette question.'],
    ['¿Cuál es la altura de la torre Eiffel?', 'Estas páginas no responden a esta pregunta.'],
    ['Eyfel Kulesi ne kadar yüksek?', 'Bu sayfalar bu soruyu yanıtlamıyor.'],
    ['Какова высота Эйфелевой башни?', 'Эти страницы не отвечают на этот вопрос.'],
    ['埃菲尔铁塔有多高？', '这些页面没有回答这个问题。'],
  ])('refuses %s in its language', async (message, refusal) => {
    const { status, body } = await ask({ message });
    expect([status, body.sources]).toEqual([200, []]);
    expect(String(body.answer).startsWith(refusal)).toBe(true);
  });

  it.each(['Who founded the company that installs the client on Linux?', 'When was the basic plan first sold?'])(
    'refuses a question whose subject pages have without the answer: %s',
    async (message) => {
      const { body } = await ask({ message });
      expect(body.sources).toEqual([]);
      expect(String(body.answer)).toMatch(
        /^These pages do not answer this question\. You could ask about: .*(?:Linux|Prices)/,
      );
    },
  );

  it('suggests pages to ask about when it refuses', async () => {
    const { body } = await ask({ message: 'Does the installer run on OpenVMS mainframes with punched cards?' });
    expect(body.sources).toEqual([]);
    expect(body.answer).toMatch(/You could ask about: .*Install on Windows/);
  });

  it('searches within filters, and refuses an unknown field', async () => {
    expect(urlsOf(await ask({ message: 'How do I install the client?', filters: { tags: 'money' } }))).toEqual([]);
    const unknown = await ask({ message: 'How do I install the client?', filters: { colour: 'red' } });
    expect([unknown.status, unknown.body.code]).toEqual([400, 'unknown_filter_field']);
  });

  it('prefers the page that the visitor reads', async () => {
    const message = 'How do I install the client?';
    for (const page of ['/linux', '/windows'])
      expect(urlsOf(await ask({ message, contextUrl: `https://www.example${page}` }))[0]).toBe(page);
    const about = await ask({ message: 'What is this about?', contextUrl: 'https://www.example/refunds' });
    expect(urlsOf(about)).toEqual(['/refunds']);
    const elsewhere = await ask({
      message: 'How tall is the Eiffel tower?',
      contextUrl: 'https://www.example/refunds',
    });
    expect(urlsOf(elsewhere)).toEqual([]);
  });

  it('applies boosts to the sources', async () => {
    const message = 'How do I install the client?';
    for (const [urlPrefix, first] of [
      ['/windows', '/linux'],
      ['/linux', '/windows'],
    ] as const) {
      await owner('PUT', `/api/sites/${siteId}`, { body: { urlBoosts: [{ urlPrefix, boost: 0.5 }] } });
      expect(urlsOf(await ask({ message }))[0]).toBe(first);
    }
    await owner('PUT', `/api/sites/${siteId}`, { body: { urlBoosts: [] } });
  });

  it('understands a question that refers to the previous one of its session', async () => {
    const first = await ask({ message: 'How do I install the client on Linux?' });
    expect(urlsOf(first)).toEqual(['/linux']);
    const { sessionId } = first.body;
    const next = await ask({ message: 'And on Windows?', sessionId });
    expect(urlsOf(next)).toEqual(['/windows']);
    expect(next.body.sessionId).toBe(sessionId);
    expect(urlsOf(await ask({ message: 'And on Windows?' }))[0]).not.toBe('/linux');
  });

  it.each(['unknown', 'x'.repeat(200), ''])('replaces the session %p, which does not exist', async (sessionId) => {
    const { status, body } = await ask({ message: 'What does the team plan cost?', sessionId });
    expect(status).toBe(200);
    expect(body.sessionId).toMatch(/^[\w-]{22}$/);
  });

  it('does not continue a session at another site', async () => {
    const other = await service.createSite('https://other.example/');
    const { sessionId } = (await ask({ message: 'What does the team plan cost?' })).body;
    const elsewhere = await ask({ message: 'And taxes?', sessionId }, `/v1/public/sites/${other}/chat`);
    expect([elsewhere.status, elsewhere.body.sessionId === sessionId]).toEqual([200, false]);
  });

  it('answers messages of one session at the same time, and keeps the session', async () => {
    const { sessionId } = (await ask({ message: 'What does the team plan cost?' })).body;
    const messages = ['When are refunds paid?', 'How do I install the client on Linux?', 'Do prices include taxes?'];
    const answers = await Promise.all(messages.map((message) => ask({ message, sessionId })));
    expect(answers.map(({ status, body }) => [status, body.sessionId])).toEqual(messages.map(() => [200, sessionId]));
  });

  it('stores no session if the owner has turned sessions off', async () => {
    const { sessionId } = (await ask({ message: 'How do I install the client on Linux?' })).body;
    await set({ anonymousSessions: false });
    const { status, body } = await ask({ message: 'And on Windows?', sessionId });
    expect([status, 'sessionId' in body]).toEqual([200, false]);
    await set({ anonymousSessions: true });
  });

  it('refuses if the owner has turned chat off, and without public access', async () => {
    await set({ chatEnabled: false });
    expect(await ask({ message: 'x' })).toMatchObject({ status: 403, body: { code: 'feature_disabled' } });
    await set({ chatEnabled: true });
  });

  it('answers from the sites of a group', async () => {
    const other = await service.createSite('https://shop.example/');
    const page = { url: '/lamps', title: 'Lamps', content: 'Brass lamps burn lamp oil.', contentType: 'text' };
    await owner('POST', `/api/sites/${other}/pages`, { body: { pages: [page] } });
    const publicAccess = { enabled: true, allowedDomains: ['*'] };
    const group = await owner('POST', '/api/groups', { body: { name: 'All', siteIds: [siteId, other], publicAccess } });
    const at = `/v1/public/groups/${group.body.groupId}/chat`;
    const lamps = await ask({ message: 'What do brass lamps burn?' }, at);
    expect([lamps.status, lamps.body.answer]).toEqual([200, 'Brass lamps burn lamp oil. [1]']);
    expect(urlsOf(await ask({ message: 'What does the team plan cost?' }, at))).toEqual(['/prices']);
    const filtered = { message: 'What do brass lamps burn?', filters: { siteId } };
    expect(urlsOf(await ask(filtered, at))).toEqual([]);
    const next = await ask({ message: 'And the basic plan?', sessionId: lamps.body.sessionId }, at);
    expect(next.body.sessionId).toBe(lamps.body.sessionId);
  });

  it('streams its events to a client that accepts them', async () => {
    const { status, headers, body } = await service.stream(path, { message: 'What does the team plan cost?' });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(body.map(({ event }) => event)).toEqual(['sources', 'token', 'done']);
    const [sources, token, done] = body.map(({ data }) => data);
    expect(done).toMatchObject({ answer: token?.text, sources: sources?.sources, degraded: false });
    const refused = await service.stream(path, { message: 'x', filters: { colour: 'red' } });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8']);
  });
});
