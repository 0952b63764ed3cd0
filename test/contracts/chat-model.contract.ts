import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { AppError, UnavailableError } from '../../lambdas/domain/errors.ts';
import type { ChatModel, ModelUsage } from '../../lambdas/domain/ports/chat-model.ts';
import { type ChatMood, ChatServer } from '../support/chat-server.ts';

const MESSAGES = [{ role: 'user' as const, content: 'Say something.' }];
const SCHEMA = { name: 'answer', json: { type: 'object' } };

export async function readStream(
  stream: AsyncGenerator<string, ModelUsage>,
): Promise<{ readonly text: string; readonly usage: ModelUsage }> {
  let text = '';
  for (;;) {
    const { value, done } = await stream.next();
    if (done) return { text, usage: value };
    text += value;
  }
}

/** The promises of every chat model, tested against a server on loopback. */
export function chatModelContract(make: (server: ChatServer) => ChatModel): void {
  let server: ChatServer;
  let model: ChatModel;
  beforeAll(async () => {
    server = await ChatServer.start();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    Object.assign(server, { mood: 'well', says: () => 'A lantern gives light [1].', pauseMs: 0, left: 0 });
    server.asked.length = 0;
    server.retryAfter = '60';
    model = make(server);
  });

  const stream = (signal?: AbortSignal) =>
    readStream(model.stream({ messages: MESSAGES, maxTokens: 50, ...(signal && { signal }) }));
  const complete = (deadlineMs = 5000) =>
    model.complete({ messages: MESSAGES, maxTokens: 50, schema: SCHEMA, deadlineMs });

  it('streams the text and returns the usage', async () => {
    const usage = { inputTokens: 100, outputTokens: 20 };
    expect(await stream()).toEqual({ text: 'A lantern gives light [1].', usage });
    expect(server.asked).toEqual([expect.objectContaining({ model: model.model, stream: true, max_tokens: 50 })]);
  });

  it('omits the reasoning of the model before its answer', async () => {
    server.says = () => '\n<think>A lantern? It may be dark.</think>\n\nA <b>lantern</b> gives light.';
    expect((await stream()).text).toBe('A <b>lantern</b> gives light.');
    server.mood = 'in one part';
    expect((await stream()).text).toBe('A <b>lantern</b> gives light.');
    server.says = () => '<thin lanterns> give light.';
    expect((await stream()).text).toBe('<thin lanterns> give light.');
    server.says = () => '<think>A lantern without an end.';
    await expect(stream()).rejects.toThrow(UnavailableError);
  });

  it('completes JSON of a schema', async () => {
    server.says = () => '```json\n{"title": "Lantern"}\n```';
    expect(await complete()).toEqual({ value: { title: 'Lantern' }, usage: { inputTokens: 100, outputTokens: 20 } });
    server.says = () => '<think>What {is} it?</think>Here: {"title": "Lantern"}. Is that well?';
    expect((await complete()).value).toEqual({ title: 'Lantern' });
    server.says = () => 'no JSON';
    expect((await complete()).value).toBeUndefined();
  });

  it.each<ChatMood>(['failing', 'busy', 'no JSON', 'gone', 'empty'])('throws when the server is %s', async (mood) => {
    server.mood = mood;
    await expect(stream()).rejects.toThrow(UnavailableError);
    await expect(complete()).rejects.toThrow(UnavailableError);
  });

  it.each<ChatMood>(['breaking off', 'stalling'])(
    'throws after the first parts of a stream that is %s',
    async (mood) => {
      server.mood = mood;
      const parts = model.stream({ messages: MESSAGES, maxTokens: 50 });
      expect((await parts.next()).value).toBe('A');
      await expect(readStream(parts)).rejects.toThrow(UnavailableError);
    },
  );

  it('throws at its deadline when the server is silent', async () => {
    server.mood = 'silent';
    await expect(complete(100)).rejects.toThrow(UnavailableError);
  });

  it('reports a refused key with an error that is not an outage', async () => {
    server.mood = 'refusing';
    await expect(stream()).rejects.toThrow(AppError);
    await expect(complete()).rejects.toMatchObject({ code: 'upstream_unavailable' });
  });

  it('repeats a request to a busy server after the wait that it asks for', async () => {
    Object.assign(server, { mood: 'busy', retryAfter: '0' });
    expect((await stream()).text).toBe('A lantern gives light [1].');
    expect(server.asked).toHaveLength(2);
  });

  it('cuts an endless text', async () => {
    server.mood = 'flooding';
    expect((await stream()).text.length).toBeLessThan(13_000);
  });

  it('closes the connection when it is aborted', async () => {
    server.pauseMs = 50;
    const controller = new AbortController();
    const reading = stream(controller.signal);
    await new Promise((resolve) => setTimeout(resolve, 100));
    controller.abort();
    await expect(reading).rejects.toThrow(UnavailableError);
  });
}
