import { expect, it } from '@jest/globals';
import type { Item, Value } from '../../../lambdas/domain/ports/table.ts';
import { type Access, newKey, stored } from './access.ts';

export function queries(access: Access): void {
  // These are in UTF-8 byte order. In UTF-16 order the two emoji would come before U+FF5E.
  const ordered = [
    'A',
    'A#',
    'A#1',
    'A#10',
    'A#2',
    'A#é',
    'A#～',
    'A#\uffff',
    'A#😀',
    'A#😀x',
    'A$',
    'B',
    'a',
    'é',
    '\u{10ffff}',
  ];

  async function filled(fields: Record<string, Value> = {}): Promise<string> {
    const { pk } = newKey();
    await access.get().putMany(ordered.toReversed().map((sk) => ({ pk, sk, ...fields })));
    return pk;
  }

  async function pages(pk: string, range: { prefix?: string; descending?: boolean; after?: string }, limit: number) {
    const found: string[] = [];
    for (let after = range.after, calls = 0; calls < 100; calls++) {
      const page = await access.get().query(pk, { ...range, limit, ...(after === undefined ? {} : { after }) });
      found.push(...page.items.map(({ sk }) => sk));
      if (page.next === undefined) return found;
      after = page.next;
    }
    throw new Error('The pages never end');
  }

  it('a query answers the items of a partition in the UTF-8 byte order of their sort keys', async () => {
    const pk = await filled();
    expect(await pages(pk, {}, 1000)).toEqual(ordered);
    expect(await pages(pk, { descending: true }, 1000)).toEqual(ordered.toReversed());
  });

  for (const limit of [1, 2, 1000]) {
    it(`a query lists every item once, in both directions, ${limit} at a time`, async () => {
      const pk = await filled();
      const prefixed = ordered.filter((sk) => sk.startsWith('A#'));
      expect(await pages(pk, {}, limit)).toEqual(ordered);
      expect(await pages(pk, { prefix: 'A#' }, limit)).toEqual(prefixed);
      expect(await pages(pk, { prefix: 'A#', descending: true }, limit)).toEqual(prefixed.toReversed());
    });
  }

  it('a query accepts prefixes of any characters', async () => {
    const pk = await filled();
    expect(await pages(pk, { prefix: 'A#😀' }, 10)).toEqual(['A#😀', 'A#😀x']);
    expect(await pages(pk, { prefix: '\u{10ffff}' }, 10)).toEqual(['\u{10ffff}']);
    expect(await pages(pk, { prefix: 'C' }, 10)).toEqual([]);
  });

  it('a query starts strictly after `after`, whether or not that item exists', async () => {
    const pk = await filled();
    expect(await pages(pk, { after: 'A#10' }, 10)).toEqual(ordered.slice(ordered.indexOf('A#10') + 1));
    expect(await pages(pk, { after: 'A#11' }, 10)).toEqual(ordered.slice(ordered.indexOf('A#2')));
    expect(await pages(pk, { after: 'A#2', descending: true }, 10)).toEqual(['A#10', 'A#1', 'A#', 'A']);
    expect(await pages(pk, { prefix: 'A#', after: 'A#2', descending: true }, 10)).toEqual(['A#10', 'A#1', 'A#']);
    expect(await pages(pk, { after: '\u{10ffff}' }, 10)).toEqual([]);
  });

  it('a query stays within the prefix when `after` is outside of it', async () => {
    const pk = await filled();
    const prefixed = ordered.filter((sk) => sk.startsWith('A#'));
    expect(await pages(pk, { prefix: 'A#', after: 'A' }, 10)).toEqual(prefixed);
    expect(await pages(pk, { prefix: 'A#', after: 'B' }, 10)).toEqual([]);
    expect(await pages(pk, { prefix: 'A#', after: 'B', descending: true }, 10)).toEqual(prefixed.toReversed());
    expect(await pages(pk, { prefix: 'A#', after: 'A', descending: true }, 10)).toEqual([]);
  });

  it('a query answers whole items, and none of another partition', async () => {
    const pk = await filled({ n: [1, { s: '' }] });
    const { items } = await access.get().query(pk, { prefix: 'B', limit: 5 });
    expect(items).toEqual([{ pk, sk: 'B', n: [1, { s: '' }] }]);
    expect(await access.get().query(`${pk}x`, { limit: 5 })).toEqual({ items: [] });
  });

  it('a query lists large items in short listings, each once', async () => {
    const { pk } = newKey();
    const keys = Array.from({ length: 12 }, (_, n) => String(n).padStart(2, '0'));
    await access.get().putMany(keys.map((sk) => ({ pk, sk, text: 'x'.repeat(300_000) })));
    const first = await access.get().query(pk, { limit: 1000 });
    expect(first.items.length).toBeLessThan(keys.length);
    expect(await pages(pk, {}, 1000)).toEqual(keys);
    expect(await pages(pk, { descending: true }, 1000)).toEqual(keys.toReversed());
  });
}

export function manyItems(access: Access): void {
  it('puts, gets and removes more items than one request of any store can hold', async () => {
    const { pk } = newKey();
    const keys = Array.from({ length: 260 }, (_, n) => ({ pk, sk: `K#${String(n).padStart(3, '0')}` }));
    await access.get().putMany(keys.map((key, n) => ({ ...key, n })));
    expect((await access.get().getMany(keys.toReversed())).map((item) => item?.n)).toEqual(
      keys.map((_, n) => n).toReversed(),
    );
    await access.get().removeMany(keys.slice(1));
    expect((await access.get().query(pk, { limit: 1000 })).items).toEqual([{ ...keys[0], n: 0 }]);
  });

  it('answers undefined for absent items, and repeats an item whose key is repeated', async () => {
    const key = await stored(access.get(), { n: 1 });
    const item = { ...key, n: 1 };
    expect(await access.get().getMany([newKey(), key, newKey(), key])).toEqual([undefined, item, undefined, item]);
    expect(await access.get().getMany([])).toEqual([]);
  });

  it('keeps the last of two items with the same key', async () => {
    const key = newKey();
    await access.get().putMany([
      { ...key, n: 1 },
      { ...key, n: 2 },
    ]);
    expect(await access.get().get(key)).toEqual({ ...key, n: 2 });
  });

  it('ignores absent items when it removes, and accepts items as keys', async () => {
    const key = await stored(access.get(), { n: 1 });
    await access.get().removeMany([{ ...key, n: 1 } as Item, newKey(), key]);
    expect(await access.get().get(key)).toBeUndefined();
  });
}

export function limits(access: Access): void {
  it('rejects more than 100 changes', async () => {
    const changes = Array.from({ length: 101 }, () => ({ put: newKey() }));
    await expect(access.get().write(changes)).rejects.toThrow(RangeError);
  });

  it('rejects two changes of an item in one write', async () => {
    const key = newKey();
    await expect(access.get().write([{ put: key }, { remove: key }])).rejects.toThrow(RangeError);
    expect(await access.get().get(key)).toBeUndefined();
  });

  it('accepts an item of 390 kB and rejects one of 410 kB, by every kind of write', async () => {
    const key = await stored(access.get(), { text: 'x'.repeat(390_000) });
    const text = 'x'.repeat(410_000);
    await expect(access.get().putMany([{ ...newKey(), text }])).rejects.toThrow(RangeError);
    await expect(access.get().write([{ put: { ...newKey(), text } }])).rejects.toThrow(RangeError);
    await expect(access.get().update(key, { set: { more: 'x'.repeat(20_000) } })).rejects.toThrow(RangeError);
  });

  it('rejects a write of more than 4 MB, and writes none of it', async () => {
    const keys = Array.from({ length: 12 }, newKey);
    const text = 'x'.repeat(380_000);
    await expect(access.get().write(keys.map((key) => ({ put: { ...key, text } })))).rejects.toThrow(RangeError);
    expect(await access.get().getMany(keys)).toEqual(keys.map(() => undefined));
  });

  it('counts the bytes of an item, not its characters', async () => {
    await expect(access.get().putMany([{ ...newKey(), text: '東'.repeat(140_000) }])).rejects.toThrow(RangeError);
  });

  for (const limit of [0, 1001, 1.5, Number.NaN]) {
    it(`rejects a query with the limit ${limit}`, async () => {
      await expect(access.get().query(newKey().pk, { limit })).rejects.toThrow(RangeError);
    });
  }

  it('rejects empty keys and sort keys of more than 1,024 bytes', async () => {
    const { pk } = newKey();
    await expect(access.get().putMany([{ pk, sk: '' }])).rejects.toThrow(RangeError);
    await expect(access.get().putMany([{ pk, sk: '東'.repeat(342) }])).rejects.toThrow(RangeError);
    await access.get().putMany([{ pk, sk: 'x'.repeat(1024) }]);
  });

  it('rejects an update of a key, and of a field in two ways', async () => {
    const key = newKey();
    await expect(access.get().update(key, { set: { sk: 'x' } })).rejects.toThrow(RangeError);
    await expect(access.get().update(key, { set: { n: 1 }, add: { n: 1 } })).rejects.toThrow(RangeError);
    expect(await access.get().get(key)).toBeUndefined();
  });
}
