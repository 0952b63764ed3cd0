import { describe, expect, it } from '@jest/globals';
import { circuitBreaker } from '../../../lambdas/connectors/chat-model/circuit-breaker.ts';
import { openaiChatModel } from '../../../lambdas/connectors/chat-model/openai.ts';
import { UnavailableError } from '../../../lambdas/domain/errors.ts';
import { chatModelContract, readStream } from '../../contracts/chat-model.contract.ts';
import { ChatServer } from '../../support/chat-server.ts';
import { fixedKey } from '../../support/fixed-key.ts';

const KEY = 'sk-secret-of-the-test';
const make = ({ url }: ChatServer, model = 'test-model') =>
  openaiChatModel({ key: fixedKey(KEY), baseUrl: url, model });

describe('the chat model of an OpenAI-compatible API', () => {
  chatModelContract((server) => make(server));

  it('a model that reasons gets room for it, and no temperature, which it refuses', async () => {
    const server = await ChatServer.start();
    server.says = () => 'Yes.';
    await readStream(make(server, 'gpt-5-mini').stream({ messages: [], maxTokens: 50 }));
    expect(server.asked[0]).toMatchObject({ max_completion_tokens: 4_050, reasoning_effort: 'low' });
    expect(server.asked[0]).not.toHaveProperty('temperature');
    await readStream(make(server, 'gpt-5-chat-latest').stream({ messages: [], maxTokens: 50 }));
    expect(server.asked[1]).not.toHaveProperty('reasoning_effort');
    server.close();
  });
});

describe('the chat model behind a circuit breaker', () => {
  chatModelContract((server) => circuitBreaker(make(server), { clock: Date.now }));

  it('leaves a failing provider alone after three faults, and tries it again within 30 seconds', async () => {
    const server = await ChatServer.start();
    server.mood = 'gone';
    let now = 0;
    const model = circuitBreaker(make(server), { clock: () => now });
    const ask = () => model.complete({ messages: [], maxTokens: 1, schema: { name: 'x', json: {} }, deadlineMs: 5000 });
    for (let fault = 0; fault < 3; fault++) await expect(ask()).rejects.toThrow(UnavailableError);
    const calls = server.asked.length;
    await expect(ask()).rejects.toThrow('tried again');
    expect(server.asked).toHaveLength(calls);
    now = 29_000;
    Object.assign(server, { mood: 'well', says: () => '{}' });
    expect((await ask()).value).toEqual({});
    expect((await ask()).value).toEqual({});
    server.close();
  });
});
