import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, UnavailableError } from '../../lambdas/domain/errors.ts';
import type { EmbeddedText, Embedder } from '../../lambdas/domain/ports/embedder.ts';
import { DIMENSIONS, EmbeddingsServer, type Mood } from '../support/embeddings-server.ts';

export type ProviderState = 'working' | 'failing' | 'silent' | 'rejecting';

export type OpenEmbedder = {
  readonly embedder: Embedder;
  /** Absent for an embedder without a provider: it cannot fail in these ways. */
  readonly setProvider?: (state: ProviderState) => void;
  readonly close?: () => Promise<void>;
};

type Access = () => OpenEmbedder;

const MOODS: Readonly<Record<ProviderState, Mood>> = {
  working: 'well',
  failing: 'failing',
  silent: 'silent',
  rejecting: 'refusing',
};

/** An embedder whose provider is a server on loopback, where different texts have different vectors. */
export async function openOnServer(
  make: (options: { readonly baseUrl: string; readonly dimensions: number }) => Embedder,
): Promise<OpenEmbedder> {
  const server = await EmbeddingsServer.start();
  server.vectorOf = (text) =>
    Array.from(createHash('sha256').update(text).digest().subarray(0, DIMENSIONS), (byte) => byte - 127.5);
  return {
    embedder: make({ baseUrl: server.env.OPENAI_BASE_URL ?? '', dimensions: DIMENSIONS }),
    setProvider: (state) => {
      server.mood = MOODS[state];
    },
    close: async () => server.close(),
  };
}

const TEXTS = ['Opening hours of the library', 'A recipe for soup', 'How tides rise and fall', 'Bicycle repair'];

/** The promises of `Embedder`. */
export function embedderContract(name: string, open: () => Promise<OpenEmbedder>): void {
  describe(`Embedder: ${name}`, () => {
    let opened: OpenEmbedder | undefined;
    const access: Access = () => {
      if (!opened) throw new Error('The embedder is not open');
      return opened;
    };
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close?.());
    texts(access);
    queries(access);
    providers(access);
  });
}

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
const numbersOf = (embedded: EmbeddedText | undefined) => embedded && [...embedded.vector];

async function embedText({ embedder }: OpenEmbedder, text: string, language = 'en'): Promise<EmbeddedText> {
  const [embedded] = await embedder.embedTexts([{ text, language }]);
  if (!embedded) throw new Error(`No vector for ${text}`);
  return embedded;
}

function texts(access: Access): void {
  const embed = (list: readonly string[], language = 'en') =>
    access().embedder.embedTexts(list.map((text) => ({ text, language })));

  it('texts get vectors of length 1 with the dimensions of the space', async () => {
    const { embedder } = access();
    expect(embedder.space).not.toBe('');
    for (const language of ['en', 'de', undefined]) {
      const embedded = await embedder.embedTexts(TEXTS.map((text) => ({ text, language })));
      expect(embedded).toHaveLength(TEXTS.length);
      for (const each of embedded) {
        expect(each?.vector).toHaveLength(embedder.dimensions);
        expect(Math.hypot(...(each?.vector ?? []))).toBeCloseTo(1, 5);
      }
    }
  });

  it('texts are answered in their order, each like the text alone', async () => {
    const alone = await Promise.all(TEXTS.map((text) => embedText(access(), text)));
    const reversed = await embed(TEXTS.toReversed());
    expect(reversed.map(numbersOf)).toEqual(alone.map(numbersOf).toReversed());
    expect(new Set(alone.map((each) => String(numbersOf(each)))).size).toBe(TEXTS.length);
  });

  it('texts without meaning get no vector', async () => {
    const embedded = await embed(['', 'Bicycle repair', ' \n\t', 'Soup']);
    expect(embedded.map((each) => each !== undefined)).toEqual([false, true, false, true]);
  });

  it('a list of texts may be empty, and may have equal texts', async () => {
    expect(await embed([])).toEqual([]);
    const [first, , second] = await embed(['Soup', 'Tides', 'Soup']);
    expect(numbersOf(second)).toEqual(numbersOf(first));
  });

  it('texts may be many, long, and of any characters', async () => {
    const many = Array.from({ length: 300 }, (_, i) => `Page number ${i}`);
    expect((await embed(many)).every((each) => each !== undefined)).toBe(true);
    const odd = ['word '.repeat(20_000), 'soup \ud800 tides', 'soup \u0000 tides', '図書館の開館時間', '😀 soup'];
    for (const each of await embed(odd, 'xx')) expect(each?.vector).toHaveLength(access().embedder.dimensions);
  });

  it('texts may be embedded by several calls at once', async () => {
    const alone = await Promise.all(TEXTS.map((text) => embedText(access(), text)));
    const pairs = TEXTS.flatMap((a) => TEXTS.map((b) => [a, b] as const));
    const embedded = await Promise.all(pairs.map((pair) => embed(pair)));
    const vectorOf = (text: string) => numbersOf(alone[TEXTS.indexOf(text)]);
    expect(embedded.map((pair) => pair.map(numbersOf))).toEqual(pairs.map((pair) => pair.map(vectorOf)));
  });
}

function queries(access: Access): void {
  it('queries have the cosine with a text as their dot product, in every block', async () => {
    for (const language of ['en', 'de']) {
      const text = await embedText(access(), 'Opening hours', language);
      const query = await access().embedder.embedQuery('Opening hours', 5000);
      expect(dot(query ?? new Float32Array(), text.vector)).toBeCloseTo(1, 5);
    }
  });

  it('queries have the dimensions of the space', async () => {
    const { embedder } = access();
    expect(await embedder.embedQuery('tides', 5000)).toHaveLength(embedder.dimensions);
  });

  it('queries without meaning have no vector', async () => {
    for (const query of ['', ' \n\t']) expect(await access().embedder.embedQuery(query, 5000)).toBeUndefined();
  });
}

function providers(access: Access): void {
  /** Returns what the calls throw while the provider is in this state. Undefined for an embedder without a provider. */
  async function errorsWhile(state: ProviderState, ...calls: readonly (() => Promise<unknown>)[]) {
    const { setProvider } = access();
    if (!setProvider) return undefined;
    setProvider(state);
    try {
      return await Promise.all(calls.map((call) => call().catch((error: unknown) => error)));
    } finally {
      setProvider('working');
    }
  }
  const query = () => access().embedder.embedQuery('tides', 300);
  const text = () => access().embedder.embedTexts([{ text: `A new text ${performance.now()}`, language: 'en' }]);

  it('a provider that fails makes texts and queries throw UnavailableError, and is called again afterwards', async () => {
    const errors = await errorsWhile('failing', text, query);
    for (const error of errors ?? []) expect(error).toBeInstanceOf(UnavailableError);
    expect(await text()).toEqual([expect.anything()]);
    expect(await access().embedder.embedQuery('tides', 5000)).toBeDefined();
  });

  it('a provider that is silent makes a query throw UnavailableError at its deadline', async () => {
    const start = performance.now();
    const errors = await errorsWhile('silent', query);
    for (const error of errors ?? []) expect(error).toBeInstanceOf(UnavailableError);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it('a provider that rejects requests makes texts throw AppError, and queries UnavailableError', async () => {
    const errors = await errorsWhile('rejecting', text, query);
    if (!errors) return;
    expect(errors).toEqual([expect.any(AppError), expect.any(UnavailableError)]);
  });
}
