import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatServer } from '../support/chat-server.ts';
import { eventually } from '../support/eventually.ts';
import { GUIDE_PAGES } from '../support/guide-pages.ts';
import { LocalService } from '../support/local-service.ts';

const ANSWER =
  'The team plan costs 40 euros a month for ten people [1]. The basic plan costs 12 euros a month [1]. Prices do not ' +
  'include taxes [1].';

describe('a streamed answer', () => {
  let provider: ChatServer;
  let service: LocalService;
  let url: URL;

  beforeAll(async () => {
    provider = await ChatServer.start();
    service = await LocalService.start({ env: provider.env });
    const siteId = await service.createSite('https://www.example/');
    await service.api('POST', `/sites/${siteId}/pages`, { pages: GUIDE_PAGES });
    url = new URL(`${service.ready.publicUrl}/public/sites/${siteId}/chat`);
  });
  afterAll(async () => {
    await service.end();
    provider.close();
  });
  beforeEach(() => {
    provider.mood = 'well';
    provider.says = () => ANSWER;
    provider.pauseMs = 0;
    provider.left = 0;
    provider.asked.length = 0;
  });

  /** Yields each part of the answer as it arrives. */
  function open(message: string, accept = 'text/event-stream') {
    const parts: string[] = [];
    const headers = { 'Content-Type': 'application/json', Accept: accept };
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.setEncoding('utf8').on('data', (part: string) => parts.push(part));
    });
    sent.on('error', () => undefined);
    sent.end(JSON.stringify({ message }));
    return { parts, text: () => parts.join(''), close: () => sent.destroy() };
  }

  it('sends a sentence before the model has finished the next', async () => {
    provider.pauseMs = 40;
    const { text } = open('What does the team plan cost?');
    const before = await eventually(async () => text().includes('event: token') && text());
    expect(before).toContain('ten people. [1]');
    expect(before).not.toContain('event: done');
    const whole = await eventually(async () => text().includes('event: done') && text());
    expect(whole).toContain('Prices do not include taxes. [1]');
  });

  it('ends the call of the provider when the client closes the connection', async () => {
    provider.pauseMs = 100;
    const { text, close } = open('What does the team plan cost a month?');
    await eventually(async () => text().includes('event: token'));
    expect(provider.left).toBe(0);
    close();
    await eventually(async () => provider.left === 1);
  });

  it.each(['well', 'silent'] as const)(
    'ends the call of the provider when a client that waits for JSON closes the connection: %s',
    async (mood) => {
      provider.pauseMs = 100;
      provider.mood = mood;
      const { close } = open(`What does the team plan cost, ${mood}?`, 'application/json');
      await eventually(async () => provider.asked.length > 0);
      expect(provider.left).toBe(0);
      close();
      await eventually(async () => provider.left === 1, 3_000); // well before the deadline of the call
    },
  );

  it('quotes the pages when the model is silent', async () => {
    provider.mood = 'silent';
    const { text } = open('What does the team plan cost in a year?');
    const whole = await eventually(async () => text().includes('event: done') && text(), 30_000);
    expect(whole).toContain('"degraded":true');
    expect(whole).toContain('The team plan costs 40 euros a month for ten people. [1]');
  });
});
