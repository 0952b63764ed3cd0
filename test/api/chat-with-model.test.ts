import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { table } from '#adapters/table';
import { readAiUse, recordAiUse } from '../../lambdas/domain/sites/usage/ai-usage.ts';
import { type Answer, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import { type ChatMood, ChatServer } from '../support/chat-server.ts';
import { GUIDE_PAGES } from '../support/guide-pages.ts';
import type { TestApi } from '../support/test-api.ts';

describe('chat with a provider', () => {
  let provider: ChatServer;
  let service: TestApi;
  let owner: ApiClient;
  let visitor: ApiClient;
  let siteId: string;
  let path: string;

  beforeAll(async () => {
    provider = await ChatServer.start();
    service = await openApi({ env: { ...provider.env, LOG_LEVEL: 'error' } });
    owner = service.client(service.ready.apiKey);
    visitor = service.client();
    siteId = await service.createSite('https://www.example/');
    path = `/v1/public/sites/${siteId}/chat`;
    await owner('POST', `/api/sites/${siteId}/pages`, { body: { pages: GUIDE_PAGES } });
  });
  afterAll(async () => {
    await service.end();
    provider.close();
  });
  beforeEach(() => {
    provider.mood = 'well';
    provider.says = () => '';
    provider.usage = { prompt_tokens: 100, completion_tokens: 20 };
    provider.retryAfter = '60';
    provider.pauseMs = 0;
    provider.asked.length = 0;
  });

  const ask = (body: object, at = path): Promise<Answer> => visitor('POST', at, { body });
  let asked = 0;
  /** A question that was not asked before: its answer is not remembered. */
  const newQuestion = (): string => `What does the team plan cost, please${'!'.repeat(++asked)}`;
  const urls = ({ body }: Answer) => listOf(body.sources).map(({ url }) => new URL(String(url)).pathname);

  it('answers with the checked sentences of the model, and its usage', async () => {
    provider.says = () => 'The team plan costs 40 euros a month for ten people [1]. The basic plan costs 12 euros [1].';
    const { body, headers } = await ask({ message: newQuestion() });
    expect(body.answer).toBe(
      'The team plan costs 40 euros a month for ten people. [1] The basic plan costs 12 euros. [1]',
    );
    expect(urls({ body } as Answer)[0]).toBe('/prices');
    expect(body.tokensUsed).toBe(120);
    expect(headers.get('x-answer-degraded')).toBeNull();
  });

  it('gives the model its sources as data between lines with a boundary that changes', async () => {
    provider.says = () => 'The team plan costs 40 euros a month [1].';
    await ask({ message: newQuestion() });
    await ask({ message: newQuestion() });
    const [first, second] = provider.answered.map(({ messages }) => messages.at(-1)?.content ?? '');
    const boundaryOf = (text = '') => /^--- (\S+) source 1$/m.exec(text)?.[1];
    expect(boundaryOf(first)).toMatch(/^[\w-]{22}$/);
    expect(boundaryOf(first)).not.toBe(boundaryOf(second));
    expect(first).toContain('The team plan costs 40 euros a month for ten people.');
  });

  it.each([
    ['a number of no source', 'The team plan costs 45 euros a month for ten people [1].'],
    ['a sentence of no source', 'The founders met in a bakery in Lisbon [1].'],
    ['a denial of what the source says', 'The team plan does not cost 40 euros a month for ten people [1].'],
    ['an unknown number', 'A pony is a gift for every subscriber of the yearly programme [7].'],
  ])('leaves out %s, and says so', async (_, made) => {
    provider.says = () => `The basic plan costs 12 euros a month [1]. ${made}`;
    const { body } = await ask({ message: newQuestion() });
    expect(body.answer).toBe(
      'The basic plan costs 12 euros a month. [1]\n\n' + '_Statements that the sources do not support were left out._',
    );
  });

  it('replaces an unknown number by the number in the source of the sentence', async () => {
    provider.says = () => 'The basic plan costs 12 euros a month [9].';
    expect((await ask({ message: newQuestion() })).body.answer).toBe('The basic plan costs 12 euros a month. [1]');
  });

  it('quotes the pages if nothing of the answer is true', async () => {
    provider.says = () => 'Everything is free for ever [1]. Dragons guard the warehouse [2].';
    const { body, headers } = await ask({ message: newQuestion() });
    expect(body.answer).toBe('The team plan costs 40 euros a month for ten people. [1]');
    expect(headers.get('x-answer-degraded')).toBeNull();
  });

  it.each(['NO_ANSWER', '**NO_ANSWER**', '"NO_ANSWER".'])(
    'refuses if the model finds no answer in the sources, and says %s',
    async (said) => {
      provider.says = () => said;
      const { body } = await ask({ message: newQuestion() });
      expect(body.sources).toEqual([]);
      expect(body.answer).toMatch(/^These pages do not answer this question\./);
    },
  );

  it('refuses without a call of the model if the site has no answer', async () => {
    const { body } = await ask({ message: 'How tall is the Eiffel tower?' });
    expect(body).toMatchObject({ sources: [], tokensUsed: 0 });
    expect(provider.asked).toEqual([]);
  });

  const MOODS: readonly ChatMood[] = ['failing', 'busy', 'refusing', 'silent', 'empty', 'no JSON', 'gone'];
  const MORE_MOODS: readonly ChatMood[] = ['redirecting', 'of an unknown status', 'broken JSON'];
  it.each([...MOODS, ...MORE_MOODS])(
    'quotes the pages while the provider is %s, and says that the answer is degraded',
    async (mood) => {
      provider.mood = mood;
      const { status, headers, body } = await ask({ message: newQuestion() });
      expect([status, headers.get('x-answer-degraded')]).toEqual([200, '1']);
      expect(body.answer).toBe('The team plan costs 40 euros a month for ten people. [1]');
      provider.mood = 'well';
      provider.says = () => 'The team plan costs 40 euros a month [1].';
      const next = await ask({ message: newQuestion() });
      expect(next.headers.get('x-answer-degraded')).toBeNull();
    },
  );

  it.each<ChatMood>(['stalling', 'breaking off'])('keeps the checked part of an answer that is %s', async (mood) => {
    provider.mood = mood;
    provider.says = () =>
      'The team plan costs 40 euros a month for ten people [1]. Prices do not include taxes and that is what the ' +
      'page says here [1].';
    const { status, headers, body } = await ask({ message: newQuestion() });
    expect([status, headers.get('x-answer-degraded')]).toEqual([200, '1']);
    expect(body.answer).toBe(
      'The team plan costs 40 euros a month for ten people. [1]\n\n_The answer broke off here._',
    );
  });

  it('ends an answer of a model that never ends', async () => {
    provider.mood = 'flooding';
    provider.says = () => 'The team plan costs 40 euros a month for ten people [1]. And';
    const { status, body } = await ask({ message: newQuestion() });
    expect(status).toBe(200);
    expect(body.answer).toMatch(/^The team plan costs 40 euros a month for ten people\. \[1\]\n\n_/);
    expect(String(body.answer).length).toBeLessThan(300);
  });

  it('streams each sentence when it is checked', async () => {
    provider.says = () => 'The team plan costs 40 euros a month [1]. Prices do not include taxes [1].';
    const { body } = await service.stream(path, { message: newQuestion() });
    expect(body.map(({ event }) => event)).toEqual(['sources', 'token', 'token', 'done']);
    const text = body.flatMap(({ event, data }) => (event === 'token' ? String(data.text) : [])).join('');
    expect(body.at(-1)?.data).toMatchObject({ answer: text, tokensUsed: 120, degraded: false });
  });

  it('rewrites a follow-up by the model, if the result uses only words of the conversation', async () => {
    provider.says = ({ stream }) =>
      stream ? 'Install the client with the installer [1].' : '{"question": "How do I install the client on Windows?"}';
    const first = await ask({ message: 'How do I install the client on Linux?' });
    const { sessionId } = first.body;
    const next = await ask({ message: 'And on Windows?', sessionId });
    expect(urls(next)[0]).toBe('/windows');
    expect(provider.answered.at(-1)?.messages.at(-1)?.content).toContain('How do I install the client on Windows?');
    provider.says = ({ stream }) => (stream ? 'NO_ANSWER' : '{"question": "Who reigns in Ruritania and Windows?"}');
    const strayed = await ask({ message: 'And on Windows 10?', sessionId });
    expect(strayed.status).toBe(200);
    expect(provider.answered.at(-1)?.messages.at(-1)?.content).not.toContain('Ruritania');
  });

  it('does not pay twice for a first question, until a page, a setting or the site changes', async () => {
    provider.says = () => 'Write to the office and name your invoice [1].';
    const question = { message: 'To which office do I write about refunds?' };
    const first = await ask(question);
    const again = await ask(question);
    expect(again.body).toMatchObject({ answer: first.body.answer, tokensUsed: 0 });
    expect(provider.answered).toHaveLength(1);
    const uses = await readAiUse(service.ready.orgId, new Date().toISOString().slice(0, 7), table);
    expect(uses.find(({ kind }) => kind === 'chat')).toMatchObject({ model: 'gpt-4.1-mini', savedTokens: 120 });
    await ask({ ...question, sessionId: first.body.sessionId });
    expect(provider.answered).toHaveLength(2);
    await owner('PUT', `/api/sites/${siteId}`, { body: { name: 'Renamed' } });
    await ask(question);
    expect(provider.answered).toHaveLength(3);
    const page = { ...GUIDE_PAGES[3], content: 'Refunds are paid soon. Write to the office and name your invoice.' };
    await owner('POST', `/api/sites/${siteId}/pages`, { body: { pages: [page] } });
    await ask(question);
    expect(provider.answered).toHaveLength(4);
  });

  it.each([
    ['found no answer', 'NO_ANSWER', /^These pages do not answer/],
    ['made everything up', 'Dragons guard the warehouse [2].', /^The team plan costs 40 euros/],
  ])('does not pay twice for a model that %s', async (_, said, answer) => {
    provider.says = () => said;
    const question = { message: newQuestion() };
    const first = await ask(question);
    const again = await ask(question);
    expect(first.body).toMatchObject({ answer: expect.stringMatching(answer), tokensUsed: 120 });
    expect(again.body).toMatchObject({ answer: first.body.answer, sources: first.body.sources, tokensUsed: 0 });
    expect(provider.answered).toHaveLength(1);
  });

  it('quotes the pages once the tokens of the month are used up', async () => {
    const use = (inputTokens: number) =>
      recordAiUse(
        service.ready.orgId,
        { kind: 'chat', model: 'gpt-4.1-mini', inputTokens },
        { table, clock: Date.now },
      );
    await use(100_000_000);
    const { body, headers } = await ask({ message: newQuestion() });
    expect(body.answer).toBe('The team plan costs 40 euros a month for ten people. [1]');
    expect([headers.get('x-answer-degraded'), provider.asked]).toEqual(['1', []]);
    await use(-100_000_000);
  });
});
