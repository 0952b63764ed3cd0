import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { table } from '#adapters/table';
import { cachedEmbedder } from '../../../lambdas/connectors/embedder/cached.ts';
import { openaiEmbedder } from '../../../lambdas/connectors/embedder/openai.ts';
import { UnavailableError } from '../../../lambdas/domain/errors.ts';
import type { Embedder } from '../../../lambdas/domain/ports/embedder.ts';
import { newId } from '../../../lambdas/runtime/system.ts';
import { embedderContract, openOnServer } from '../../contracts/embedder.contract.ts';
import { fixedKey } from '../../support/fixed-key.ts';
import { openLocalStore } from '../../support/local-store.ts';

const DAY_MS = 24 * 3600 * 1000;
const NUMBERS = [0.1, -1, Math.PI, 1e-30];

let close: () => Promise<void>;
beforeAll(async () => {
  close = await openLocalStore();
});
afterAll(() => close());

embedderContract('a cache before a provider', () =>
  openOnServer((options) => {
    const provider = openaiEmbedder({ ...options, key: fixedKey('key'), model: newId() });
    return cachedEmbedder(provider, { table, clock: Date.now });
  }),
);

describe('cachedEmbedder', () => {
  let space: string;
  let requests: string[][];
  let failsAfter: number;
  let now: number;

  beforeEach(() => {
    [space, requests, failsAfter, now] = [newId(), [], Number.POSITIVE_INFINITY, Date.now()];
  });

  const model = (): Embedder => ({
    space,
    dimensions: NUMBERS.length,
    embedTexts: async (texts) => {
      if (requests.length >= failsAfter) throw new UnavailableError('The provider is down');
      requests.push(texts.map(({ text }) => text));
      return texts.map(({ text }) =>
        text === '' ? undefined : { vector: Float32Array.from(NUMBERS, (n) => n * text.length), block: 'model' },
      );
    },
    embedQuery: async (query) => Float32Array.of(query.length),
  });
  const embedder = () => cachedEmbedder(model(), { table, clock: () => now });
  const embed = async (...texts: string[]) => embedder().embedTexts(texts.map((text) => ({ text, language: 'en' })));

  it('requests the vector of each text once, also after a restart', async () => {
    const first = await embed('a', 'bb', 'a', 'ccc', 'bb');
    expect(requests).toEqual([['a', 'bb', 'ccc']]);
    expect(first.map((found) => found?.vector.length)).toEqual([4, 4, 4, 4, 4]);
    expect(await embed('ccc', 'bb', 'a', 'bb')).toEqual([first[3], first[1], first[0], first[1]]);
    expect(requests).toHaveLength(1);
    await embed('a', 'dddd');
    expect(requests).toEqual([['a', 'bb', 'ccc'], ['dddd']]);
  });

  it('answers exactly the vector that the embedder made', async () => {
    const made = (await model().embedTexts([{ text: 'xyz' }]))[0];
    await embed('xyz');
    expect((await embed('xyz'))[0]).toEqual(made);
  });

  it('stores nothing for a text without a vector, and requests nothing for no texts', async () => {
    expect(await embed('', 'a')).toEqual([undefined, expect.anything()]);
    expect(await embed('', 'a')).toEqual([undefined, expect.anything()]);
    expect(requests).toEqual([['', 'a'], ['']]);
    expect(await embed()).toEqual([]);
    expect(requests).toHaveLength(2);
  });

  it('shares no vectors between spaces', async () => {
    await embed('a');
    space = newId();
    await embed('a');
    expect(requests).toEqual([['a'], ['a']]);
  });

  it('stores the vectors made before a failure', async () => {
    const texts = Array.from({ length: 300 }, (_, n) => `text ${n}`);
    failsAfter = 2;
    await expect(embed(...texts)).rejects.toThrow(UnavailableError);
    expect(requests.map((batch) => batch.length)).toEqual([128, 128]);
    [requests, failsAfter] = [[], Number.POSITIVE_INFINITY];
    expect(await embed(...texts)).toHaveLength(300);
    expect(requests.map((batch) => batch.length)).toEqual([44]);
  });

  it('drops a vector that was not read for a year', async () => {
    const today = now;
    now = today - 364 * DAY_MS;
    await embed('young');
    now = today - 366 * DAY_MS;
    await embed('old');
    now = today;
    requests = [];
    await embed('young', 'old');
    expect(requests).toEqual([['old']]);
  });

  it('keeps a vector that is read now and then', async () => {
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
    expect(requests).toEqual([['a']]);
  });

  it.each([{ numbers: 'AAAA' }, { numbers: '' }, {}])(
    'replaces a stored vector that cannot be decoded: %j',
    async (fields) => {
      await embed('a');
      const [key] = (await table.query(`VECTOR#${space}#${await hashOf('a')}`, { limit: 1 })).items;
      if (!key) throw new Error('Nothing is stored');
      await table.putMany([{ pk: key.pk, sk: key.sk, block: 'model', ...fields }]);
      expect(await embed('a')).toEqual([expect.objectContaining({ block: 'model' })]);
      expect(requests).toEqual([['a'], ['a']]);
    },
  );

  it('passes queries on', async () => {
    expect(await embedder().embedQuery('four', 800)).toEqual(Float32Array.of(4));
    expect(embedder()).toMatchObject({ space, dimensions: 4 });
  });
});

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(text));
  return Buffer.from(digest).toString('hex').slice(0, 32);
}
