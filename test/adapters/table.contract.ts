import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Change, Condition, Item, Key, Table, Value } from '../../lambdas/core/ports/table.ts';

type Opened = { readonly table: Table; close(): Promise<void> };

const aMinute = 60;
const now = () => Math.floor(Date.now() / 1000);
const newKey = (): Key => ({ pk: `TEST#${randomUUID()}`, sk: 'ITEM' });

/** The promises of `Table`. The table may hold other items. */
export function tableContract(name: string, open: () => Promise<Opened>): void {
  describe(`Table on ${name}`, () => {
    let opened: Opened;
    let table: Table;
    beforeAll(async () => {
      opened = await open();
      table = opened.table;
    });
    afterAll(() => opened.close());
    const access = { get: () => table };

    describe('one item', () => items(access));
    describe('conditions', () => conditions(access));
    describe('update', () => updates(access));
    describe('write', () => writes(access));
    describe('query', () => queries(access));
    describe('many items', () => manyItems(access));
    describe('expiry', () => expiry(access));
    describe('concurrent callers', () => concurrency(access));
    describe('counters', () => counters(access));
    describe('limits', () => limits(access));
  });
}

type Access = { get(): Table };

async function stored(table: Table, fields: Record<string, Value>): Promise<Key> {
  const key = newKey();
  await table.putMany([{ ...key, ...fields }]);
  return key;
}

function items(access: Access): void {
  const values: Record<string, Value> = {
    'quotes and backslashes': `it's "quoted" \\ and \`so\`; DROP TABLE item; --`,
    'text of many scripts': 'Zürich 東京 مرحبا 👩‍👩‍👧 e\u0301',
    'the empty string': '',
    'a null character': 'a\u0000b',
    'zero, negative and broken numbers': [0, -1, 1.5, 1e21, 123456789012345],
    'true and false': [true, false],
    null: null,
    'nested lists and objects': { a: [{ b: [[], {}, ''] }], 'odd key "\' ': { deep: null } },
  };

  for (const [what, value] of Object.entries(values)) {
    it(`reads back ${what}`, async () => {
      const key = await stored(access.get(), { value });
      expect(await access.get().get(key)).toEqual({ ...key, value });
    });
  }

  it('answers undefined for an absent item', async () => {
    expect(await access.get().get(newKey())).toBeUndefined();
  });

  it('leaves out fields that are undefined', async () => {
    const key = newKey();
    await access.get().putMany([{ ...key, here: 1, gone: undefined, nested: { gone: undefined, here: 2 } }]);
    expect(Object.keys((await access.get().get(key)) ?? {}).sort()).toEqual(['here', 'nested', 'pk', 'sk']);
  });

  it('accepts quotes, blanks and any script in keys', async () => {
    const key = { pk: `TEST#${randomUUID()}#it's "a" 東京`, sk: `%_*' OR 1=1 \\ 👍` };
    await access.get().putMany([{ ...key, n: 1 }]);
    expect(await access.get().get(key)).toEqual({ ...key, n: 1 });
    expect(await access.get().get({ ...key, sk: '%' })).toBeUndefined();
  });

  it('replaces the whole item', async () => {
    const key = await stored(access.get(), { old: 1, kept: 1 });
    await access.get().putMany([{ ...key, kept: 2 }]);
    expect(await access.get().get(key)).toEqual({ ...key, kept: 2 });
  });
}

function conditions(access: Access): void {
  const item = { state: 'running', count: 5, flag: true, nothing: null };
  const holding: Record<string, Condition> = {
    'exists: true': { exists: true },
    'an equal string': { equals: { state: 'running' } },
    'an equal number': { equals: { count: 5 } },
    'an equal boolean': { equals: { flag: true } },
    'one of several': { equals: { state: ['pending', 'running'] } },
    'null for a field that is null': { equals: { nothing: null } },
    'null for an absent field': { equals: { absent: null } },
    'null or a value, where the value is': { equals: { state: [null, 'running'] } },
    'null or a value, for an absent field': { equals: { absent: ['x', null] } },
    'a number below the bound': { below: { count: 6 } },
    'an absent field below any bound': { below: { absent: -1 } },
    'several parts that all hold': { exists: true, equals: { state: 'running', flag: true }, below: { count: 6 } },
    'null for a name that every object inherits': { equals: { toString: null }, below: { constructor: 1 } },
    'no part': {},
  };
  const failing: Record<string, Condition> = {
    'exists: false': { exists: false },
    'another string': { equals: { state: 'ended' } },
    'none of several': { equals: { state: ['pending', 'ended'] } },
    'an empty choice': { equals: { state: [] } },
    'a number as a string': { equals: { count: '5' } },
    'null for a field that has a value': { equals: { state: null } },
    'a value for a field that is null': { equals: { nothing: 'x' } },
    'a value for an absent field': { equals: { absent: 'x' } },
    'a number at the bound': { below: { count: 5 } },
    'a string below a bound': { below: { state: 5 } },
    'one part of several': { exists: true, equals: { state: 'running' }, below: { count: 1 } },
  };
  const ofNothing: Record<string, readonly [Condition, boolean]> = {
    'exists: false': [{ exists: false }, true],
    'exists: true': [{ exists: true }, false],
    'null for a field': [{ equals: { state: null } }, true],
    'a value for a field': [{ equals: { state: 'running' } }, false],
    'a field below a bound': [{ below: { count: 1 } }, true],
  };

  for (const [what, when] of Object.entries(holding)) {
    it(`hold for an item: ${what}`, async () => {
      const key = await stored(access.get(), item);
      expect(await access.get().write([{ check: key, when }])).toEqual([]);
      expect(await access.get().update(key, { set: { seen: 1 }, when })).toEqual({ ...key, ...item, seen: 1 });
    });
  }

  for (const [what, when] of Object.entries(failing)) {
    it(`do not hold for an item: ${what}`, async () => {
      const key = await stored(access.get(), item);
      expect(await access.get().write([{ check: key, when }])).toEqual([{ check: key, when }]);
      expect(await access.get().update(key, { set: { seen: 1 }, when })).toBeUndefined();
      expect(await access.get().get(key)).toEqual({ ...key, ...item });
    });
  }

  for (const [what, [when, holds]] of Object.entries(ofNothing)) {
    it(`${holds ? 'hold' : 'do not hold'} for an absent item: ${what}`, async () => {
      const check = { check: newKey(), when };
      expect(await access.get().write([check])).toEqual(holds ? [] : [check]);
      const key = newKey();
      expect(await access.get().update(key, { set: { n: 1 }, when })).toEqual(holds ? { ...key, n: 1 } : undefined);
    });
  }
}

function updates(access: Access): void {
  it('sets, unsets and adds, keeps other fields, and answers the updated item', async () => {
    const key = await stored(access.get(), { a: 1, b: 'x', c: [1], n: 5 });
    const changed = await access
      .get()
      .update(key, { set: { a: { x: 1 }, d: null }, unset: ['b', 'never'], add: { n: -7 } });
    expect(changed).toEqual({ ...key, a: { x: 1 }, c: [1], d: null, n: -2 });
    expect(await access.get().get(key)).toEqual(changed);
  });

  it('creates an absent item, and adds to an absent field as to 0', async () => {
    const key = newKey();
    expect(await access.get().update(key, { add: { n: 3 } })).toEqual({ ...key, n: 3 });
  });

  it('creates an item with only its key if the update changes nothing', async () => {
    const key = newKey();
    expect(await access.get().update(key, {})).toEqual(key);
    expect(await access.get().get(key)).toEqual(key);
  });

  it('creates an absent item even if the update only unsets fields, also in a write', async () => {
    const [one, other, third] = [newKey(), newKey(), newKey()];
    expect(await access.get().update(one, { unset: ['n'] })).toEqual(one);
    expect(await access.get().update(one, { unset: ['n'], when: { exists: false } })).toBeUndefined();
    expect(await access.get().write([{ update: other, unset: ['n'] }, { update: third }])).toEqual([]);
    expect(await access.get().getMany([one, other, third])).toEqual([one, other, third]);
    expect(await access.get().write([{ update: third }])).toEqual([]);
    const unset = { update: third, unset: ['n'], when: { exists: false } };
    expect(await access.get().write([unset])).toEqual([unset]);
  });

  it('changes fields of any name', async () => {
    const key = newKey();
    const names = ['name', 'size', 'a.b', 'a-b', '#a', ':a', 'status', 'toString', 'ünï'];
    const set = Object.fromEntries(names.map((field, i) => [field, i]));
    expect(await access.get().update(key, { set })).toEqual({ ...key, ...set });
    expect(await access.get().write([{ check: key, when: { equals: set } }])).toEqual([]);
    expect(await access.get().update(key, { unset: names })).toEqual(key);
  });

  it('adds only below a bound', async () => {
    const key = newKey();
    const attempts = Array.from({ length: 5 }, () =>
      access.get().update(key, { add: { n: 1 }, when: { below: { n: 3 } } }),
    );
    const counts = (await Promise.all(attempts)).map((item) => item?.n);
    expect(counts.filter((count) => count !== undefined).toSorted()).toEqual([1, 2, 3]);
  });

  it('rejects an addition to a value that is no number', async () => {
    const key = await stored(access.get(), { n: 'x' });
    await expect(access.get().update(key, { add: { n: 1 } })).rejects.toThrow();
    expect(await access.get().get(key)).toEqual({ ...key, n: 'x' });
  });
}

function writes(access: Access): void {
  it('writes changes of every kind together', async () => {
    const { pk } = newKey();
    const key = (sk: string) => ({ pk, sk });
    await access.get().putMany(['updated', 'removed', 'checked'].map((sk) => ({ ...key(sk), n: 1 })));
    const refused = await access
      .get()
      .write([
        { put: { ...key('put'), n: 9 } },
        { update: key('updated'), add: { n: 1 }, set: { s: 'x' }, when: { equals: { n: 1 } } },
        { update: key('made'), set: { s: 'y' } },
        { remove: key('removed'), when: { exists: true } },
        { remove: key('never there') },
        { check: key('checked'), when: { equals: { n: 1 } } },
      ]);
    expect(refused).toEqual([]);
    expect((await access.get().query(pk, { limit: 10 })).items).toEqual([
      { ...key('checked'), n: 1 },
      { ...key('made'), s: 'y' },
      { ...key('put'), n: 9 },
      { ...key('updated'), n: 2, s: 'x' },
    ]);
  });

  it('writes nothing when one condition fails, and answers the change objects that failed', async () => {
    const { pk } = newKey();
    const key = (sk: string) => ({ pk, sk });
    await access.get().putMany([
      { ...key('b'), n: 1 },
      { ...key('d'), n: 1 },
    ]);
    const changes: readonly Change[] = [
      { put: key('a'), when: { exists: false } },
      { put: key('b'), when: { exists: false } },
      { update: key('c'), set: { n: 2 } },
      { remove: key('d'), when: { equals: { n: 2 } } },
      { check: key('e'), when: { exists: true } },
    ];
    const refused = await access.get().write(changes);
    expect(refused.map((change) => changes.indexOf(change))).toEqual([1, 3, 4]);
    expect((await access.get().query(pk, { limit: 10 })).items).toEqual([
      { ...key('b'), n: 1 },
      { ...key('d'), n: 1 },
    ]);
  });

  it('accepts 100 changes in several partitions', async () => {
    const keys = Array.from({ length: 100 }, newKey);
    expect(await access.get().write(keys.map((key) => ({ put: { ...key, n: 1 }, when: { exists: false } })))).toEqual(
      [],
    );
    expect((await access.get().getMany(keys)).map((item) => item?.n)).toEqual(keys.map(() => 1));
  });

  it('fails harmlessly when it is repeated with the same conditions', async () => {
    const key = newKey();
    const change = { put: { ...key, n: 1 }, when: { exists: false } };
    expect([await access.get().write([change]), await access.get().write([change])]).toEqual([[], [change]]);
  });

  it('accepts no changes', async () => {
    expect(await access.get().write([])).toEqual([]);
  });
}

function queries(access: Access): void {
  // In UTF-8 byte order. In UTF-16 order the two emoji would come before U+FF5E.
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

  it('answers the items of a partition in the UTF-8 byte order of their sort keys', async () => {
    const pk = await filled();
    expect(await pages(pk, {}, 1000)).toEqual(ordered);
    expect(await pages(pk, { descending: true }, 1000)).toEqual(ordered.toReversed());
  });

  for (const limit of [1, 2, 1000]) {
    it(`lists every item once, in both directions, ${limit} at a time`, async () => {
      const pk = await filled();
      const prefixed = ordered.filter((sk) => sk.startsWith('A#'));
      expect(await pages(pk, {}, limit)).toEqual(ordered);
      expect(await pages(pk, { prefix: 'A#' }, limit)).toEqual(prefixed);
      expect(await pages(pk, { prefix: 'A#', descending: true }, limit)).toEqual(prefixed.toReversed());
    });
  }

  it('accepts prefixes of any characters', async () => {
    const pk = await filled();
    expect(await pages(pk, { prefix: 'A#😀' }, 10)).toEqual(['A#😀', 'A#😀x']);
    expect(await pages(pk, { prefix: '\u{10ffff}' }, 10)).toEqual(['\u{10ffff}']);
    expect(await pages(pk, { prefix: 'C' }, 10)).toEqual([]);
  });

  it('starts strictly after `after`, whether or not that item exists', async () => {
    const pk = await filled();
    expect(await pages(pk, { after: 'A#10' }, 10)).toEqual(ordered.slice(ordered.indexOf('A#10') + 1));
    expect(await pages(pk, { after: 'A#11' }, 10)).toEqual(ordered.slice(ordered.indexOf('A#2')));
    expect(await pages(pk, { after: 'A#2', descending: true }, 10)).toEqual(['A#10', 'A#1', 'A#', 'A']);
    expect(await pages(pk, { prefix: 'A#', after: 'A#2', descending: true }, 10)).toEqual(['A#10', 'A#1', 'A#']);
    expect(await pages(pk, { after: '\u{10ffff}' }, 10)).toEqual([]);
  });

  it('stays within the prefix when `after` is outside of it', async () => {
    const pk = await filled();
    const prefixed = ordered.filter((sk) => sk.startsWith('A#'));
    expect(await pages(pk, { prefix: 'A#', after: 'A' }, 10)).toEqual(prefixed);
    expect(await pages(pk, { prefix: 'A#', after: 'B' }, 10)).toEqual([]);
    expect(await pages(pk, { prefix: 'A#', after: 'B', descending: true }, 10)).toEqual(prefixed.toReversed());
    expect(await pages(pk, { prefix: 'A#', after: 'A', descending: true }, 10)).toEqual([]);
  });

  it('answers whole items, and none of another partition', async () => {
    const pk = await filled({ n: [1, { s: '' }] });
    const { items } = await access.get().query(pk, { prefix: 'B', limit: 5 });
    expect(items).toEqual([{ pk, sk: 'B', n: [1, { s: '' }] }]);
    expect(await access.get().query(`${pk}x`, { limit: 5 })).toEqual({ items: [] });
  });

  it('lists large items in short listings, each once', async () => {
    const { pk } = newKey();
    const keys = Array.from({ length: 12 }, (_, n) => String(n).padStart(2, '0'));
    await access.get().putMany(keys.map((sk) => ({ pk, sk, text: 'x'.repeat(300_000) })));
    const first = await access.get().query(pk, { limit: 1000 });
    expect(first.items.length).toBeLessThan(keys.length);
    expect(await pages(pk, {}, 1000)).toEqual(keys);
    expect(await pages(pk, { descending: true }, 1000)).toEqual(keys.toReversed());
  });
}

function manyItems(access: Access): void {
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

function expiry(access: Access): void {
  const expired = (): Promise<Key> => stored(access.get(), { n: 1, expiresAt: now() - aMinute });

  it('keeps an item until it expires', async () => {
    const expiresAt = now() + aMinute;
    const key = await stored(access.get(), { expiresAt });
    expect(await access.get().get(key)).toEqual({ ...key, expiresAt });
    expect(await access.get().write([{ check: key, when: { exists: true, equals: { expiresAt } } }])).toEqual([]);
  });

  it('hides an expired item from every read', async () => {
    const key = await expired();
    expect(await access.get().get(key)).toBeUndefined();
    expect(await access.get().getMany([key])).toEqual([undefined]);
    expect((await access.get().query(key.pk, { limit: 10 })).items).toEqual([]);
  });

  it('counts an expired item as absent in conditions', async () => {
    const key = await expired();
    expect(await access.get().write([{ check: key, when: { exists: true } }])).toEqual([
      { check: key, when: { exists: true } },
    ]);
    expect(await access.get().write([{ check: key, when: { equals: { n: 1 } } }])).toEqual([
      { check: key, when: { equals: { n: 1 } } },
    ]);
    expect(await access.get().update(key, { set: { m: 1 }, when: { exists: true } })).toBeUndefined();
    expect(await access.get().write([{ put: { ...key, n: 2 }, when: { exists: false, equals: { n: null } } }])).toEqual(
      [],
    );
    expect(await access.get().get(key)).toEqual({ ...key, n: 2 });
  });

  it('starts with an empty item when an expired item is updated', async () => {
    const [first, second] = [await expired(), await expired()];
    expect(await access.get().update(first, { add: { n: 1 } })).toEqual({ ...first, n: 1 });
    expect(await access.get().write([{ update: second, set: { m: 1 } }])).toEqual([]);
    expect(await access.get().get(second)).toEqual({ ...second, m: 1 });
  });

  it('can be moved and removed by updates', async () => {
    const key = await stored(access.get(), { expiresAt: now() + aMinute });
    await access.get().update(key, { set: { expiresAt: now() - aMinute } });
    expect(await access.get().get(key)).toBeUndefined();
    const other = await stored(access.get(), { expiresAt: now() + aMinute });
    expect(await access.get().update(other, { unset: ['expiresAt'] })).toEqual(other);
  });
}

function concurrency(access: Access): void {
  it('loses none of 300 additions', async () => {
    const key = newKey();
    const sums = await Promise.all(Array.from({ length: 300 }, () => access.get().update(key, { add: { n: 1 } })));
    expect(new Set(sums.map((item) => item?.n)).size).toBe(300);
    expect(await access.get().get(key)).toEqual({ ...key, n: 300 });
  });

  it('gives a lock to exactly one of 50 callers', async () => {
    const { pk } = newKey();
    const lock = { pk, sk: 'LOCK' };
    const callers = Array.from({ length: 50 }, async (_, caller) => {
      const refused = await access
        .get()
        .write([
          { update: lock, set: { holder: caller }, when: { equals: { holder: null } } },
          { put: { pk, sk: `CALLER#${caller}` } },
        ]);
      return refused.length === 0 ? [caller] : [];
    });
    const winners = (await Promise.all(callers)).flat();
    expect(winners).toHaveLength(1);
    expect(await access.get().get(lock)).toEqual({ ...lock, holder: winners[0] });
    expect((await access.get().query(pk, { prefix: 'CALLER#', limit: 100 })).items).toHaveLength(1);
  });

  it('shows a write to every read that starts after its answer', async () => {
    for (let n = 0; n < 20; n++) {
      const key = await stored(access.get(), { n });
      const [one, many, page] = await Promise.all([
        access.get().get(key),
        access.get().getMany([key]),
        access.get().query(key.pk, { limit: 1 }),
      ]);
      expect([one?.n, many[0]?.n, page.items[0]?.n]).toEqual([n, n, n]);
    }
  });
}

function counters(access: Access): void {
  const expiresAt = now() + aMinute;

  it('start at 0, and answer the new count', async () => {
    const [one, other] = [newKey(), newKey()];
    const counts: (number | undefined)[] = [];
    for (const by of [0, 1, 2, 0, 5]) counts.push(await access.get().count(one, { by, expiresAt }));
    expect(counts).toEqual([0, 1, 3, 3, 8]);
    expect(await access.get().count(other, { by: 0, expiresAt })).toBe(0);
    expect(await access.get().count({ ...one, sk: 'OTHER' }, { by: 1, expiresAt })).toBe(1);
  });

  it('add nothing beyond `atMost`', async () => {
    const key = newKey();
    const add = (by: number, atMost: number) => access.get().count(key, { by, atMost, expiresAt });
    expect([await add(3, 2), await add(3, 3), await add(1, 3), await add(1, 0)]).toEqual([
      ...[undefined, 3, undefined, undefined],
    ]);
    expect([await add(2, 4), await add(2, 5), await access.get().count(key, { by: 0, expiresAt })]).toEqual([
      ...[undefined, 5, 5],
    ]);
  });

  it('admit exactly `atMost` of 100 additions at once', async () => {
    const key = newKey();
    const attempts = Array.from({ length: 100 }, () => access.get().count(key, { by: 1, atMost: 60, expiresAt }));
    const counts = (await Promise.all(attempts)).filter((count) => count !== undefined);
    expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
  });

  it('reject what is no count', async () => {
    for (const by of [-1, 1.5, Number.NaN])
      await expect(access.get().count(newKey(), { by, expiresAt })).rejects.toThrow(RangeError);
    await expect(access.get().count({ pk: '', sk: 'x' }, { by: 1, expiresAt })).rejects.toThrow(RangeError);
    await expect(access.get().count(newKey(), { by: 1, expiresAt: Number.NaN })).rejects.toThrow(RangeError);
  });
}

function limits(access: Access): void {
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
