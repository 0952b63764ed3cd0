import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fnv1aOfText } from '../../lambdas/text/words/fnv1a.ts';

export type ChatMood =
  | 'well'
  | 'failing'
  | 'busy'
  | 'refusing'
  | 'redirecting'
  | 'of an unknown status'
  | 'silent'
  | 'stalling'
  | 'breaking off'
  | 'flooding'
  | 'in circles'
  | 'broken JSON'
  | 'empty'
  | 'no JSON'
  | 'gone'
  | 'never closing'
  | 'in one part';

export type AskedOfModel = {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly response_format?: object;
};

const EVENTS = { 'Content-Type': 'text/event-stream' };
const DIMENSIONS = 64;
const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

/** A server on loopback with the chat and embeddings API of OpenAI. A test scripts its answers and sets its mood. */
export class ChatServer {
  mood: ChatMood = 'well';
  /** Whether its embeddings work. */
  embeds = true;
  /** The chat requests; embeddings are not listed. */
  readonly asked: AskedOfModel[] = [];
  /** What the model says, by the request. */
  says: (request: AskedOfModel) => string = () => '';
  /** The tokens that it says it has counted. */
  usage: object = USAGE;
  /** Why it says that an answer ends. */
  finishReason: string | undefined;
  /** Between the parts of an answer. */
  pauseMs = 0;
  /** Seconds that a busy server asks to wait. With a short wait it is busy only once. */
  retryAfter = '60';
  /** Answers that a client left before their end. */
  left = 0;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<ChatServer> {
    const started = new ChatServer();
    await new Promise<void>((resolve) => started.#server.listen(0, '127.0.0.1', resolve));
    started.#server.unref();
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** The variables that make a service use this server. */
  get env(): Readonly<Record<string, string>> {
    return { OPENAI_BASE_URL: this.url, EMBEDDING_DIMENSIONS: String(DIMENSIONS), CHAT_MODEL: 'gpt-4.1-mini' };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The answers to questions, without rewritings and metadata. */
  get answered(): readonly AskedOfModel[] {
    return this.asked.filter(({ stream }) => stream);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await text(request)) as AskedOfModel & { readonly input: string | readonly string[] };
    if (request.url === '/v1/embeddings' && !this.embeds) return json(response, 500, {}, { 'retry-after-ms': '1' });
    if (request.url === '/v1/embeddings') return embeddings([body.input].flat(), response);
    this.asked.push(body);
    response.once('close', () => {
      if (!response.writableFinished) this.left++;
    });
    if (this.mood === 'busy' && this.retryAfter === '0' && this.asked.length > 1) this.mood = 'well';
    if (this.mood === 'broken JSON') return void response.writeHead(200, EVENTS).end('data: {"choices": [{"delta"\n\n');
    if (body.stream && STREAMED.has(this.mood)) return this.#stream(body, response);
    switch (this.mood) {
      case 'failing':
        return json(response, 500, { error: { message: 'broken' } }, { 'retry-after-ms': '1' });
      case 'busy':
        return json(response, 429, { error: { message: 'busy' } }, { 'retry-after': this.retryAfter });
      case 'refusing':
        return json(response, 401, { error: { message: 'unknown key' } });
      case 'redirecting':
        return json(response, 307, {}, { location: `${this.url}/chat/completions` });
      case 'of an unknown status':
        return json(response, 599, { error: { message: 'what?' } }, { 'retry-after': '864000' });
      case 'no JSON':
        return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Welcome</h1>');
      case 'gone':
        return void response.destroy();
      case 'silent':
        return;
    }
    const message = { role: 'assistant', content: this.mood === 'empty' ? null : this.says(body) };
    json(response, 200, {
      object: 'chat.completion',
      model: body.model,
      choices: [{ index: 0, message }],
      usage: this.usage,
    });
  }

  #partsOf(request: AskedOfModel): readonly string[] {
    if (this.mood === 'empty') return [];
    return this.mood === 'in one part' ? [this.says(request)] : (this.says(request).match(/\s*\S+/g) ?? []);
  }

  async #stream(request: AskedOfModel, response: ServerResponse): Promise<void> {
    response.writeHead(200, EVENTS);
    const send = (chunk: object) =>
      response.write(
        `data: ${JSON.stringify({ object: 'chat.completion.chunk', model: request.model, ...chunk })}\n\n`,
      );
    const say = (content: string) => send({ choices: [{ index: 0, delta: { content } }] });
    const parts = this.#partsOf(request);
    for (const [i, part] of parts.entries()) {
      const isHalf = i >= parts.length / 2;
      if (isHalf && this.mood === 'stalling') return;
      if (isHalf && this.mood === 'breaking off') return void setTimeout(() => response.destroy(), 20);
      if (response.destroyed) return;
      say(part);
      if (this.pauseMs > 0) await delay(this.pauseMs);
    }
    const endless = { flooding: ' and so on and so on'.repeat(10), 'in circles': ` ${this.says(request)}` }[
      String(this.mood)
    ];
    while (endless !== undefined && !response.destroyed) {
      say(endless);
      await delay(1);
    }
    this.#finish(send, response);
  }

  #finish(send: (chunk: object) => void, response: ServerResponse): void {
    if (this.finishReason) send({ choices: [{ index: 0, delta: {}, finish_reason: this.finishReason }] });
    if (this.mood === 'never closing') return;
    send({ choices: [], usage: this.usage });
    response.end('data: [DONE]\n\n');
  }
}

const STREAMED: ReadonlySet<ChatMood> = new Set([
  ...(['well', 'stalling', 'breaking off', 'flooding', 'in circles', 'empty', 'never closing', 'in one part'] as const),
]);

const json = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) => void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

function embeddings(texts: readonly string[], response: ServerResponse): void {
  const data = texts.map((input, index) => ({ index, object: 'embedding', embedding: wordVector(input) }));
  json(response, 200, { object: 'list', model: 'test', data, usage: { prompt_tokens: 7, total_tokens: 7 } });
}

/** Texts with the same words are near each other. */
function wordVector(input: string): readonly number[] {
  const vector: number[] = Array(DIMENSIONS).fill(0);
  for (const word of input.toLowerCase().match(/\p{L}+/gu) ?? ['']) {
    const slot = fnv1aOfText(word) % DIMENSIONS;
    vector[slot] = (vector[slot] ?? 0) + 1;
  }
  return vector;
}
