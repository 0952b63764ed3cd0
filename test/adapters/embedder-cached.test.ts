import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { table } from '#adapters/table';
import { cachedEmbedder } from '../../lambdas/adapters/embedder-cached.ts';
import { openaiEmbedder } from '../../lambdas/adapters/embedder-openai.ts';
import { UnavailableError } from '../../lambdas/core/errors.ts';
import type { Embedder } from '../../lambdas/core/ports/embedder.ts';
import { newId } from '../../lambdas/runtime/system.ts';
import { openLocalStore } from '../support/local-store.ts';
import { embedderContract, openOnServer } from './embedder.contract.ts';

const DAY_MS = 24 * 3600 * 1000;
const NUMBERS = [0.1, -1, Math.PI, 1e-30];

let close: () => Promise<void>;
beforeAll(async () => {
  close = await openLocalStore();
});
afterAll(() => close());

embedderContract('a cache before a provider', () =>
  openOnServer((options) => {
    const provider = openaiEmbedder({ ...options, apiKey: 'key', model: newId() });
    return cachedEmbedder(provider, { table, clock: Date.now });
  }),
);

describe('cachedEmbedder', () => {
  let space: string;
  let asked: string[][];
  let failsAfter: number;
  let now: number;

  beforeEach(() => {
    [space, asked, failsAfter, now] = [newId(), [], Number.POSITIVE_INFINITY, Date.now()];
  });

  const model = (): Embedder => ({
    space,
    dimensions: NUMBERS.length,
    embedTexts: async (texts) => {
      if (asked.length >= failsAfter) throw new UnavailableError('away');
      asked.push(texts.map(({ text }) => text));
      return texts.map(({ text }) =>
        text === '' ? undefined : { vector: Float32Array.from(NUMBERS, (n) => n * text.length), block: 'model' },
      );
    },
    embedQuery: async (query) => Float32Array.of(query.length),
  });
  const embedder = () => cachedEmbedder(model(), { table, clock: () => now });
  const embed = async (...texts: string[]) => embedder().embedTexts(texts.map((text) => ({ text, language: 'en' })));

  it('asks for each text once, in all its lives', async () => {
    const first = await embed('a', 'bb', 'a', 'ccc', 'bb');
    expect(asked).toEqual([['a', 'bb', 'ccc']]);
    expect(first.map((found) => found?.vector.length)).toEqual([4, 4, 4, 4, 4]);
    expect(await embed('ccc', 'bb', 'a', 'bb')).toEqual([first[3], first[1], first[0], first[1]]);
    expect(asked).toHaveLength(1);
    await embed('a', 'dddd');
    expect(asked).toEqual([['a', 'bb', 'ccc'], ['dddd']]);
  });

  it('answers to the bit what was made', async () => {
    const made = (await model().embedTexts([{ text: 'xyz' }]))[0];
    await embed('xyz');
    expect((await embed('xyz'))[0]).toEqual(made);
  });

  it('keeps nothing for a text without evidence, and asks nothing about none', async () => {
    expect(await embed('', 'a')).toEqual([undefined, expect.anything()]);
    expect(await embed('', 'a')).toEqual([undefined, expect.anything()]);
    expect(asked).toEqual([['', 'a'], ['']]);
    expect(await embed()).toEqual([]);
    expect(asked).toHaveLength(2);
  });

  it('shares nothing between spaces', async () => {
    await embed('a');
    space = newId();
    await embed('a');
    expect(asked).toEqual([['a'], ['a']]);
  });

  it('keeps what was made before a failure, so that it is not paid for again', async () => {
    const texts = Array.from({ length: 300 }, (_, n) => `text ${n}`);
    failsAfter = 2;
    await expect(embed(...texts)).rejects.toThrow(UnavailableError);
    expect(asked.map((batch) => batch.length)).toEqual([128, 128]);
    [asked, failsAfter] = [[], Number.POSITIVE_INFINITY];
    expect(await embed(...texts)).toHaveLength(300);
    expect(asked.map((batch) => batch.length)).toEqual([44]);
  });

  it('makes anew what has not been asked for in a year', async () => {
    const today = now;
    now = today - 364 * DAY_MS;
    await embed('young');
    now = today - 366 * DAY_MS;
    await embed('old');
    now = today;
    asked = [];
    await embed('young', 'old');
    expect(asked).toEqual([['old']]);
  });

  it('keeps what is asked for now and then', async () => {
    const today = now;
    const daysLeft = async () => {
      const [item] = (await table.query(`VECTOR#${space}#${await hashOf('a')}`, { limit: 1 })).items;
      return Math.round(((item?.expiresAt ?? 0) * 1000 - today) / DAY_MS);
    };
    now = today - 300 * DAY_MS;
    await embed('a');
    now = today - 200 * DAY_MS;
    await embed('a');
    expect(await daysLeft()).toBe(65);
    now = today - 100 * DAY_MS;
    await embed('a');
    expect(await daysLeft()).toBe(265);
    expect(asked).toEqual([['a']]);
  });

  it.each([{ numbers: 'AAAA' }, { numbers: '' }, {}])('makes anew what cannot be read: %j', async (fields) => {
    await embed('a');
    const [key] = (await table.query(`VECTOR#${space}#${await hashOf('a')}`, { limit: 1 })).items;
    if (!key) throw new Error('nothing is kept');
    await table.putMany([{ pk: key.pk, sk: key.sk, block: 'model', ...fields }]);
    expect(await embed('a')).toEqual([expect.objectContaining({ block: 'model' })]);
    expect(asked).toEqual([['a'], ['a']]);
  });

  it('hands queries on', async () => {
    expect(await embedder().embedQuery('four', 800)).toEqual(Float32Array.of(4));
    expect(embedder()).toMatchObject({ space, dimensions: 4 });
  });
});

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(text));
  return Buffer.from(digest).toString('hex').slice(0, 32);
}
