import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { table } from '#adapters/table';
import { calibratingEmbedder } from '../../../lambdas/connectors/embedder/calibration.ts';
import { UnavailableError } from '../../../lambdas/domain/errors.ts';
import type { EmbeddedPage, Embedder } from '../../../lambdas/domain/ports/embedder.ts';
import { newId } from '../../../lambdas/runtime/system.ts';
import { openLocalStore } from '../../support/local-store.ts';

/** All cosines of the model are raised by this share, as with models whose vectors lie in a narrow cone. */
const NARROW = 0.7;

describe('the scale of a model', () => {
  let close: () => Promise<void>;
  let now = 0;
  beforeAll(async () => {
    close = await openLocalStore();
  });
  afterAll(() => close());

  /** Texts with the same number have cosine 1, others 0. The vector of a title differs a little. */
  function vector(text: string, narrow: number): Float32Array {
    const [number, isTitle] = [Number(/\d+/.exec(text)?.[0]), text.startsWith('title')];
    const own = Array.from({ length: 64 }, (_, i) => (i === number ? 1 : 0));
    const beside = isTitle ? own.map((part) => part * Math.SQRT1_2).concat(Math.SQRT1_2) : own.concat(0);
    return Float32Array.from([Math.sqrt(narrow), ...beside.map((part) => part * Math.sqrt(1 - narrow))]);
  }
  const model = (space: string, narrow = 0): Embedder => ({
    space,
    dimensions: 66,
    embedQuery: async () => undefined,
    embedTexts: async (texts) => texts.map(({ text }) => ({ vector: vector(text, narrow), block: 'model' })),
  });
  const measured = (embedder: Embedder) => calibratingEmbedder(embedder, { table, clock: () => now });
  const pages = (narrow = 0): readonly EmbeddedPage[] =>
    Array.from({ length: 64 }, (_, n) => ({
      url: `https://x.example/${n}`,
      title: `title ${n}`,
      vectors: [vector(`page ${n}`, narrow)],
    }));
  async function scaleAfter(batches: number, narrow = 0) {
    const embedder = measured(model(newId(), narrow));
    for (let n = 0; n < batches; n++) await embedder.measure?.(pages(narrow));
    now += 10_000;
    return embedder.scale?.();
  }

  it('the scale of a model is unknown before enough pages are measured', async () => {
    expect(await scaleAfter(0)).toBeUndefined();
    expect(await scaleAfter(1)).toBeUndefined();
    expect(await scaleAfter(4)).toEqual({ low: expect.any(Number), high: expect.any(Number), weight: 0.7 });
  });

  it('the scale gives a cosine the same meaning where all cosines are higher', async () => {
    const [plain, narrow] = [await scaleAfter(4), await scaleAfter(4, NARROW)];
    const nearness = (cosine: number, { low = 0, high = 0 } = {}) => (cosine - low) / (high - low);
    for (const cosine of [0, 0.3, 0.7])
      expect(nearness(NARROW + (1 - NARROW) * cosine, narrow)).toBeCloseTo(nearness(cosine, plain), 4);
  });

  it('the scale is stored with the space, for every process', async () => {
    const space = newId();
    for (let n = 0; n < 4; n++) await measured(model(space)).measure?.(pages());
    expect(await measured(model(space)).scale?.()).toEqual(await scaleAfter(4));
    expect(await measured(model(newId())).scale?.()).toBeUndefined();
  });

  it('indexing measures few titles once enough are known', async () => {
    let titles = 0;
    const counted: Embedder = {
      ...model(newId()),
      embedTexts: async (texts) => {
        titles += texts.length;
        return texts.map(({ text }) => ({ vector: vector(text, 0), block: 'model' }));
      },
    };
    const embedder = measured(counted);
    for (let n = 0; n < 60; n++) {
      now += 10_000;
      await embedder.measure?.(pages());
    }
    expect(titles).toBeGreaterThanOrEqual(200);
    expect(titles).toBeLessThan(400);
  });

  it('indexing does not fail while the provider is unavailable', async () => {
    const away = { ...model(newId()), embedTexts: () => Promise.reject(new UnavailableError('away')) };
    await expect(measured(away).measure?.(pages())).resolves.toBeUndefined();
  });
});
