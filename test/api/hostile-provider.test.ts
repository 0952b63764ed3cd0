import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import { type ChatMood, ChatServer } from '../support/chat-server.ts';
import { GUIDE_PAGES } from '../support/guide-pages.ts';
import { processorTime } from '../support/processor-time.ts';
import type { TestApi } from '../support/test-api.ts';

describe('chat with a provider that lies, stalls, floods and breaks off', () => {
  let provider: ChatServer;
  let service: TestApi;
  let visitor: ApiClient;
  let path: string;

  beforeAll(async () => {
    provider = await ChatServer.start();
    service = await openApi({ env: { ...provider.env, LOG_LEVEL: 'error' } });
    visitor = service.client();
    const siteId = await service.createSite('https://www.example/');
    path = `/v1/public/sites/${siteId}/chat`;
    await service.client(service.ready.apiKey)('POST', `/api/sites/${siteId}/pages`, { body: { pages: GUIDE_PAGES } });
  });
  afterAll(async () => {
    await service.end();
    provider.close();
  });
  /** Its faults would add up to an open circuit. */
  afterEach(async () => {
    provider.mood = 'well';
    provider.finishReason = undefined;
    provider.says = () => 'The team plan costs 40 euros a month [1].';
    provider.usage = { prompt_tokens: 100, completion_tokens: 20 };
    expect((await ask({ message: newQuestion() })).headers.get('x-answer-degraded')).toBeNull();
    provider.asked.length = 0;
  });

  const ask = (body: object): Promise<Answer> => visitor('POST', path, { body });
  let asked = 0;
  /** A question that was not asked before: its answer is not remembered. */
  const newQuestion = (): string => `What does the team plan cost, please${'!'.repeat(++asked)}`;

  it('chat states each sentence once if the model repeats itself endlessly', async () => {
    provider.mood = 'in circles';
    provider.says = () => 'The team plan costs 40 euros a month for ten people [1].';
    const { status, body } = await ask({ message: newQuestion() });
    expect([status, body.answer]).toEqual([200, 'The team plan costs 40 euros a month for ten people. [1]']);
  });

  it.each(['length', 'content_filter'])('leaves out a sentence that ends because of %s', async (reason) => {
    provider.finishReason = reason;
    provider.says = () => 'The team plan costs 40 euros a month for ten people [1]. Prices do not';
    const question = newQuestion();
    const { body, headers } = await ask({ message: question });
    expect(body.answer).toBe(
      'The team plan costs 40 euros a month for ten people. [1]\n\n_The answer broke off here._',
    );
    expect([body.tokensUsed, headers.get('x-answer-degraded')]).toEqual([120, null]);
  });

  it('chat takes an answer as complete when the provider reports its end, even if the connection stays open', async () => {
    provider.finishReason = 'stop';
    provider.mood = 'never closing';
    provider.says = () => 'The team plan costs 40 euros a month for ten people [1]';
    const { body, headers } = await ask({ message: newQuestion() });
    expect(body.answer).toBe('The team plan costs 40 euros a month for ten people [1]');
    expect(headers.get('x-answer-degraded')).toBeNull();
  });

  it('counts and reads only the beginning of an answer of a megabyte', async () => {
    provider.mood = 'in one part';
    provider.says = () => `The team plan costs 40 euros a month for ten people [1]. ${'. '.repeat(500_000)}`;
    provider.usage = {};
    const spent = processorTime();
    const { body } = await ask({ message: newQuestion() });
    expect(spent()).toBeLessThan(1_500);
    expect(String(body.answer)).toMatch(/^The team plan costs 40 euros a month for ten people\. \[1\]/);
    expect(body.tokensUsed).toBeLessThan(4_000);
  });

  it.each(['```\nrm -rf /\n```', '1. [1]\n2. \n3.'])(
    'quotes the pages for an answer without words: %j',
    async (said) => {
      provider.says = () => said;
      provider.finishReason = 'stop';
      expect((await ask({ message: newQuestion() })).body.answer).toBe(
        'The team plan costs 40 euros a month for ten people. [1]',
      );
    },
  );

  it('chat sends questions and pages to no other address that the provider names', async () => {
    provider.mood = 'redirecting';
    await ask({ message: newQuestion() });
    expect(provider.asked).toHaveLength(1);
  });

  it.each(['864000', 'Fri, 31 Dec 2100 23:59:59 GMT', '1e999'])('does not wait for Retry-After: %s', async (wait) => {
    provider.mood = 'busy';
    provider.retryAfter = wait;
    const started = performance.now();
    const { status, headers } = await ask({ message: newQuestion() });
    expect([status, headers.get('x-answer-degraded')]).toEqual([200, '1']);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it.each([
    { prompt_tokens: 1e300, completion_tokens: 1e300 },
    { prompt_tokens: -1, completion_tokens: -1 },
    { prompt_tokens: 2 ** 53, completion_tokens: 2 ** 52 },
    { prompt_tokens: '100', completion_tokens: [1] },
    { prompt_tokens: 100, completion_tokens: -1 },
    { prompt_tokens: 100 },
  ])('counts tokens itself if the provider says %j', async (usage) => {
    provider.usage = usage;
    provider.says = () => 'The team plan costs 40 euros a month for ten people [1].';
    const { body } = await ask({ message: newQuestion() });
    expect(body.tokensUsed).toBeGreaterThan(105);
    expect(body.tokensUsed).toBeLessThan(2_000);
  });

  it.each<ChatMood>(['stalling', 'breaking off', 'flooding', 'broken JSON', 'silent'])(
    'streams an answer with its end and what is checked, while the provider is %s',
    async (mood) => {
      provider.mood = mood;
      provider.says = () =>
        'The team plan costs 40 euros a month for ten people [1]. Prices do not include taxes here [1].';
      const { status, body } = await service.stream(path, { message: newQuestion() });
      const text = body.flatMap(({ event, data }) => (event === 'token' ? String(data.text) : [])).join('');
      expect([status, body.at(-1)?.event]).toEqual([200, 'done']);
      expect(body.at(-1)?.data.answer).toBe(text);
      expect(text).toContain('The team plan costs 40 euros a month for ten people.');
    },
  );

  it.each([
    ['an unknown number', '[999]'],
    ['a number three times', '[1][1][1]'],
    ['a number in double brackets', '[[1]]'],
    ['a negative number', '[-1]'],
    ['a number without an end', '[1'],
  ])('cites the page that bears the sentence once, whatever the model cites: %s', async (_, citation) => {
    provider.says = () => `The team plan costs 40 euros a month for ten people ${citation}.`;
    expect((await ask({ message: newQuestion() })).body.answer).toBe(
      'The team plan costs 40 euros a month for ten people. [1]',
    );
  });

  it('chat quotes the pages if the model answers in another language than that of the pages', async () => {
    provider.says = () => 'Der Teamtarif kostet 40 Euro im Monat für zehn Personen [1].';
    const { body } = await ask({ message: newQuestion() });
    expect(body.answer).toBe('The team plan costs 40 euros a month for ten people. [1]');
  });
});
