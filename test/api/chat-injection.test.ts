import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PHRASE_LANGUAGES, phrasesOf } from '../../lambdas/domain/answers/phrases.ts';
import { listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import { ChatServer } from '../support/chat-server.ts';
import { HOSTILE_PAGES, HOSTILE_QUESTIONS, obedientAnswer } from '../support/injections.ts';
import type { TestApi } from '../support/test-api.ts';

const TRUE = 'The harbour office opens at nine and closes at five.';
const QUESTION = 'When does the harbour office open?';

describe('a model that obeys every instruction that it sees', () => {
  let provider: ChatServer;
  let service: TestApi;
  let owner: ApiClient;
  let visitor: ApiClient;

  beforeAll(async () => {
    provider = await ChatServer.start();
    provider.says = ({ messages, stream }) => (stream ? obedientAnswer(messages, TRUE) : '{}');
    service = await openApi({ env: { ...provider.env, LOG_LEVEL: 'error' } });
    owner = service.client(service.ready.apiKey);
    visitor = service.client();
  });
  afterAll(async () => {
    await service.end();
    provider.close();
  });

  async function siteWith(content: string): Promise<string> {
    const siteId = await service.createSite('https://www.example/');
    // However many other words a question has, the page is a source.
    await owner('PUT', `/api/sites/${siteId}`, { body: { urlBoosts: [{ urlPrefix: '/', boost: 100 }] } });
    const page = { url: '/office', title: 'The harbour office', content, contentType: 'text' };
    await owner('POST', `/api/sites/${siteId}/pages`, { body: { pages: [page] } });
    return siteId;
  }

  /** Texts that no answer may contain, whatever its sources say. */
  async function expectHarmless(siteId: string, message: string, content: string): Promise<void> {
    const { status, body } = await visitor('POST', `/v1/public/sites/${siteId}/chat`, { body: { message } });
    expect(status).toBe(200);
    const answer = String(body.answer);
    expect(answer).toContain(TRUE);
    expect(linksOf(answer)).toEqual([]);
    expect(answer).not.toMatch(/!\[|(?<!\\)<[a-z/!]|javascript:|data:text/i);
    const prompt = provider.asked.flatMap(({ messages }) => messages.filter(({ role }) => role === 'system'));
    for (const line of prompt.flatMap(({ content: text }) => text.split('\n'))) expect(answer).not.toContain(line);
    expect(answer).not.toMatch(/---\s+[\w-]{22}/);
    expect(foreignWords(answer, content)).toEqual([]);
    for (const { url } of listOf(body.sources)) expect(url).toBe('https://www.example/office');
  }

  it.each(HOSTILE_PAGES)('lets nothing out of a page that says %j', async (hostile) => {
    const content = `${TRUE} ${hostile}`;
    await expectHarmless(await siteWith(content), QUESTION, content);
  });

  describe('asked by a visitor', () => {
    let siteId: string;
    beforeAll(async () => {
      siteId = await siteWith(TRUE);
    });

    it.each(HOSTILE_QUESTIONS)('says nothing that is not in the sources: %j', async (hostile) => {
      await expectHarmless(siteId, `${QUESTION} ${hostile}`, TRUE);
    });
  });
});

/** Matches texts that a reader of Markdown turns into links or images. */
const linksOf = (markdown: string): readonly string[] => [
  ...(markdown.match(/\]\([^)]*\)|\]:\s*\S+/g) ?? []),
  ...(markdown.match(/(?:https?|ftp):\/\/\S+|\bwww\.\S+|(?<!:)\/\/[a-z]+\.\S+/gi) ?? []),
];

const OWN = PHRASE_LANGUAGES.flatMap((language) => Object.values(phrasesOf(language))).join(' ');

/** Words that neither the page nor the service's own phrases have. */
function foreignWords(answer: string, content: string): readonly string[] {
  const known = wordsOf(`${content} ${OWN} The harbour office`);
  return [...wordsOf(answer.replace(/\[\d+\]/g, ''))].filter((word) => !known.has(word));
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
