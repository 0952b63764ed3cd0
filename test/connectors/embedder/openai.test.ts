import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { embeddingBatches, openaiEmbedder } from '../../../lambdas/connectors/embedder/openai.ts';
import { type ProviderKey, rememberedKey } from '../../../lambdas/connectors/provider/provider-key.ts';
import { AppError, UnavailableError } from '../../../lambdas/domain/errors.ts';
import { embedderContract, openOnServer } from '../../contracts/embedder.contract.ts';
import { fixedKey } from '../../support/fixed-key.ts';

type EmbeddingRequest = {
  readonly model: string;
  readonly dimensions: number;
  readonly encoding_format: string;
  readonly input: readonly string[];
};
type Answer = (response: ServerResponse, request: EmbeddingRequest) => void;

const apiKey = 'sk-secret-of-the-test';
let requests: EmbeddingRequest[] = [];
let headers: IncomingMessage['headers'][] = [];
let answers: Answer[] = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += String(part);
  requests.push(JSON.parse(body) as EmbeddingRequest);
  headers.push(request.headers);
  if (request.url !== '/v1/embeddings') response.writeHead(404).end();
  else (answers.shift() ?? vectors)(response, JSON.parse(body) as EmbeddingRequest);
});

const json = (
  response: ServerResponse,
  status: number,
  body: unknown,
  more: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body));
};
/** A vector of three numbers for each text, the last text first. */
const vectors: Answer = (response, { model, input }) => {
  const data = input.map((_, index) => ({ object: 'embedding', index, embedding: [3, 4 * index, 0] }));
  json(response, 200, { object: 'list', model, data: data.reverse(), usage: { prompt_tokens: 1, total_tokens: 1 } });
};
const refuse =
  (status: number, more?: Readonly<Record<string, string>>): Answer =>
  (response) =>
    json(response, status, { error: { message: `no, ${apiKey}`, type: 'x', code: 'y' } }, more);
const now = { 'retry-after-ms': '1' };
const data =
  (...list: readonly unknown[]): Answer =>
  (response) =>
    json(response, 200, { object: 'list', data: list });

let host: string;
let baseUrl: string;
let embedder: ReturnType<typeof openaiEmbedder>;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  baseUrl = `http://${host}/v1`;
  embedder = openaiEmbedder({ key: fixedKey(apiKey), baseUrl, model: 'some-model', dimensions: 3 });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  [requests, headers, answers] = [[], [], []];
});

const errorOf = async (promise: Promise<unknown>): Promise<Error> => {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('No error was thrown');
};
const rounded = (vector: Float32Array | undefined) => vector && Array.from(vector, (x) => Math.round(x * 1000) / 1000);

embedderContract('the OpenAI API', () =>
  openOnServer((options) => openaiEmbedder({ ...options, key: fixedKey(apiKey), model: 'test' })),
);

describe('openaiEmbedder', () => {
  it('requests plain numbers of its model and dimensions, with its key', async () => {
    await embedder.embedQuery('what', 800);
    expect(requests).toEqual([{ model: 'some-model', dimensions: 3, encoding_format: 'float', input: ['what'] }]);
    expect(headers[0]?.authorization).toBe(`Bearer ${apiKey}`);
    expect(embedder).toMatchObject({ space: `openai-${host}/v1-some-model-3`, dimensions: 3 });
  });

  it('returns vectors of length 1 in the order of the texts', async () => {
    const found = await embedder.embedTexts([{ text: 'a' }, { text: 'aaa', language: 'de' }]);
    expect(found.map((text) => text?.block)).toEqual(['model', 'model']);
    expect(found.map((text) => rounded(text?.vector))).toEqual([
      [1, 0, 0],
      [0.6, 0.8, 0],
    ]);
  });

  it('does not send blank texts', async () => {
    const found = await embedder.embedTexts([{ text: '' }, { text: 'a' }, { text: ' \n' }]);
    expect(found.map((text) => text !== undefined)).toEqual([false, true, false]);
    expect(requests.map(({ input }) => input)).toEqual([['a']]);
    expect(await embedder.embedQuery(' ', 800)).toBeUndefined();
    expect(await embedder.embedTexts([])).toEqual([]);
  });

  it('sends many texts in several requests, and cuts long ones', async () => {
    const found = await embedder.embedTexts(Array.from({ length: 130 }, () => ({ text: '😀'.repeat(5000) })));
    expect(found).toHaveLength(130);
    expect(requests.map(({ input }) => input.length)).toEqual([25, 25, 25, 25, 25, 5]);
    expect(new Set(requests.flatMap(({ input }) => input.map((text) => text.length)))).toEqual(new Set([8000]));
  });

  it('returns undefined for a vector of zeros', async () => {
    answers = [data({ index: 0, embedding: [0, 0, 0] })];
    expect(await embedder.embedTexts([{ text: 'a' }])).toEqual([undefined]);
  });

  it('obeys Retry-After', async () => {
    answers = [refuse(429, { 'retry-after': '1' })];
    const begin = performance.now();
    expect(await embedder.embedTexts([{ text: 'a' }])).toHaveLength(1);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(990);
    expect(requests).toHaveLength(2);
  });

  it('sends texts three times before it throws UnavailableError', async () => {
    answers = [refuse(500, now), refuse(503, now), refuse(500, now), refuse(500, now)];
    expect(await errorOf(embedder.embedTexts([{ text: 'a' }]))).toBeInstanceOf(UnavailableError);
    expect(requests).toHaveLength(3);
  });

  it.each([301, 307, 308])('sends no text to the address that a redirect with %i names', async (status) => {
    answers = [refuse(status, { location: `${baseUrl}/embeddings` })];
    await errorOf(embedder.embedTexts([{ text: 'a' }]));
    expect(requests).toHaveLength(1);
  });

  it('sends a query once', async () => {
    answers = [refuse(500), refuse(500)];
    expect(await errorOf(embedder.embedQuery('a', 800))).toBeInstanceOf(UnavailableError);
    answers = [refuse(429, { 'retry-after': '0' })];
    expect(await errorOf(embedder.embedQuery('a', 800))).toBeInstanceOf(UnavailableError);
    expect(requests).toHaveLength(2);
  });

  it.each<[string, Answer]>([
    ['does not answer', () => undefined],
    [
      'begins to answer and stops',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":'),
    ],
    [
      'answers byte by byte',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('gives up at the deadline of a query if the server %s', async (_, answer) => {
    answers = [answer];
    const begin = performance.now();
    expect(await errorOf(embedder.embedQuery('a', 150))).toBeInstanceOf(UnavailableError);
    expect(performance.now() - begin).toBeLessThan(1500);
  });

  it.each<[string, Answer]>([
    ['closes the connection', (response) => response.destroy()],
    ['answers invalid JSON', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{')],
    [
      'answers a web page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
    ],
    ['answers too few vectors', data()],
    ['answers too many vectors', data({ index: 0, embedding: [1, 2, 3] }, { index: 1, embedding: [1, 2, 3] })],
    ['answers a vector for no text', data({ index: 5, embedding: [1, 2, 3] })],
    ['answers base64', data({ index: 0, embedding: 'AACAPw==' })],
    [
      'answers without an end',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const write = () => void (response.destroyed || response.write(' '.repeat(500_000), write));
        write();
      },
    ],
    ['answers no list', (response) => json(response, 200, {})],
    ['is busy', refuse(429, now)],
    ['is broken', refuse(500, now)],
  ])('throws UnavailableError if the server %s', async (_, answer) => {
    answers = [answer];
    expect(await errorOf(embedder.embedQuery('a', 800))).toBeInstanceOf(UnavailableError);
    answers = [answer, answer, answer];
    expect(await errorOf(embedder.embedTexts([{ text: 'a' }]))).toBeInstanceOf(UnavailableError);
    answers = [];
    expect(await embedder.embedTexts([{ text: 'a' }])).toHaveLength(1);
  });

  it('embeds texts within the time that its caller has left', async () => {
    const account = { admit: async () => undefined, charge: async () => undefined };
    const texts = Array.from({ length: 129 }, () => ({ text: 'a' }));
    let left = 300;
    answers = [vectors, () => undefined]; // the second request is never answered
    const started = performance.now();
    expect(await errorOf(embedder.embedTexts(texts, { ...account, timeLeft: () => left }))).toBeInstanceOf(
      UnavailableError,
    );
    expect(performance.now() - started).toBeLessThan(2000);
    left = 0;
    requests = [];
    expect(await errorOf(embedder.embedTexts(texts, { ...account, timeLeft: () => left }))).toBeInstanceOf(
      UnavailableError,
    );
    expect(requests).toEqual([]);
  });

  it.each<[string, Answer, string]>([
    ['other dimensions', data({ index: 0, embedding: [1, 2] }), 'vectors of 2 numbers, not 3'],
    ['that the key is unknown', refuse(401), '401'],
    ['that the model is unknown', refuse(404), '404'],
  ])(
    'throws AppError for texts and UnavailableError for a query if the server answers %s',
    async (_, answer, message) => {
      answers = [answer, answer];
      const error = await errorOf(embedder.embedTexts([{ text: 'a' }]));
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code: 'upstream_unavailable', message: expect.stringContaining(message) });
      expect(await errorOf(embedder.embedQuery('a', 800))).toBeInstanceOf(UnavailableError);
    },
  );

  it('does not wait for a Retry-After beyond the deadline of a query', async () => {
    answers = [refuse(429, { 'retry-after': '30' })];
    const begin = performance.now();
    expect(await errorOf(embedder.embedQuery('a', 800))).toBeInstanceOf(UnavailableError);
    expect(performance.now() - begin).toBeLessThan(800);
  });

  it('returns undefined for numbers beyond 32-bit floats', async () => {
    answers = [data({ index: 0, embedding: [1e39, 0, 0] })];
    expect(await embedder.embedTexts([{ text: 'a' }])).toEqual([undefined]);
  });

  it('never repeats its key in an error', async () => {
    for (const status of [401, 500]) {
      answers = [refuse(status)];
      const error = await errorOf(embedder.embedQuery('a', 800));
      expect(error.message).toContain('[key]');
      expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(apiKey);
    }
  });
});

describe('the key of the provider', () => {
  const embedderWith = (key: ProviderKey) => openaiEmbedder({ key, baseUrl, model: 'some-model', dimensions: 3 });
  const sentKeys = () => headers.map(({ authorization }) => authorization?.replace('Bearer ', ''));

  it('the key is read once, when the first text is embedded', async () => {
    let reads = 0;
    const lazy = embedderWith(
      rememberedKey(async () => {
        reads++;
        return 'first';
      }),
    );
    expect(reads).toBe(0);
    await Promise.all([lazy.embedTexts([{ text: 'a' }]), lazy.embedQuery('b', 800)]);
    expect([reads, sentKeys()]).toEqual([1, ['first', 'first']]);
  });

  it('the key is read again after a 401, and the request is repeated with the new key', async () => {
    const stored = ['old', 'new'];
    const rotated = embedderWith(rememberedKey(async () => stored.shift() ?? 'none left'));
    answers = [refuse(401)];
    expect(await rotated.embedTexts([{ text: 'a' }])).toHaveLength(1);
    expect(sentKeys()).toEqual(['old', 'new']);
  });

  it('the key is read again by the next request if its source was unavailable', async () => {
    const outcomes = [new UnavailableError('the source is down'), 'present'];
    const late = embedderWith(
      rememberedKey(async () => {
        const outcome = outcomes.shift();
        if (typeof outcome === 'string') return outcome;
        throw outcome ?? new Error('asked too often');
      }),
    );
    expect(await errorOf(late.embedQuery('a', 800))).toBeInstanceOf(UnavailableError);
    expect(await late.embedQuery('a', 800)).toHaveLength(3);
  });

  it('reading the key delays a query to its deadline at most', async () => {
    const silent = embedderWith(rememberedKey(() => new Promise(() => undefined)));
    expect(await errorOf(silent.embedQuery('a', 20))).toBeInstanceOf(UnavailableError);
  });
});

describe('embeddingBatches', () => {
  it('a batch has at most 128 texts and 200,000 characters', () => {
    expect(embeddingBatches(Array.from({ length: 300 }, () => 'a')).map((batch) => batch.length)).toEqual([
      128, 128, 44,
    ]);
    expect(embeddingBatches(['a'.repeat(150_000), 'b'.repeat(50_000), 'c'])).toEqual([[0, 1], [2]]);
    expect(embeddingBatches(['a'.repeat(300_000), 'b'])).toEqual([[0], [1]]);
  });
});
