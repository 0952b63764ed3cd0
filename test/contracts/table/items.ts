import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Condition, Key, Value } from '../../../lambdas/domain/ports/table.ts';
import { type Access, aMinute, newKey, now, stored } from './access.ts';

export function items(access: Access): void {
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

export function conditions(access: Access): void {
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
    it(`a condition holds for an item: ${what}`, async () => {
      const key = await stored(access.get(), item);
      expect(await access.get().write([{ check: key, when }])).toEqual([]);
      expect(await access.get().update(key, { set: { seen: 1 }, when })).toEqual({ ...key, ...item, seen: 1 });
    });
  }

  for (const [what, when] of Object.entries(failing)) {
    it(`a condition does not hold for an item: ${what}`, async () => {
      const key = await stored(access.get(), item);
      expect(await access.get().write([{ check: key, when }])).toEqual([{ check: key, when }]);
      expect(await access.get().update(key, { set: { seen: 1 }, when })).toBeUndefined();
      expect(await access.get().get(key)).toEqual({ ...key, ...item });
    });
  }

  for (const [what, [when, holds]] of Object.entries(ofNothing)) {
    it(`a condition ${holds ? 'holds' : 'does not hold'} for an absent item: ${what}`, async () => {
      const check = { check: newKey(), when };
      expect(await access.get().write([check])).toEqual(holds ? [] : [check]);
      const key = newKey();
      expect(await access.get().update(key, { set: { n: 1 }, when })).toEqual(holds ? { ...key, n: 1 } : undefined);
    });
  }
}

export function updates(access: Access): void {
  it('an update sets, unsets and adds, keeps other fields, and answers the updated item', async () => {
    const key = await stored(access.get(), { a: 1, b: 'x', c: [1], n: 5 });
    const changed = await access
      .get()
      .update(key, { set: { a: { x: 1 }, d: null }, unset: ['b', 'never'], add: { n: -7 } });
    expect(changed).toEqual({ ...key, a: { x: 1 }, c: [1], d: null, n: -2 });
    expect(await access.get().get(key)).toEqual(changed);
  });

  it('an update creates an absent item, and adds to an absent field as to 0', async () => {
    const key = newKey();
    expect(await access.get().update(key, { add: { n: 3 } })).toEqual({ ...key, n: 3 });
  });

  it('an update creates an item with only its key if the update changes nothing', async () => {
    const key = newKey();
    expect(await access.get().update(key, {})).toEqual(key);
    expect(await access.get().get(key)).toEqual(key);
  });

  it('an update creates an absent item even if the update only unsets fields, also in a write', async () => {
    const [one, other, third] = [newKey(), newKey(), newKey()];
    expect(await access.get().update(one, { unset: ['n'] })).toEqual(one);
    expect(await access.get().update(one, { unset: ['n'], when: { exists: false } })).toBeUndefined();
    expect(await access.get().write([{ update: other, unset: ['n'] }, { update: third }])).toEqual([]);
    expect(await access.get().getMany([one, other, third])).toEqual([one, other, third]);
    expect(await access.get().write([{ update: third }])).toEqual([]);
    const unset = { update: third, unset: ['n'], when: { exists: false } };
    expect(await access.get().write([unset])).toEqual([unset]);
  });

  it('an update changes fields of any name', async () => {
    const key = newKey();
    const names = ['name', 'size', 'a.b', 'a-b', '#a', ':a', 'status', 'toString', 'ünï'];
    const set = Object.fromEntries(names.map((field, i) => [field, i]));
    expect(await access.get().update(key, { set })).toEqual({ ...key, ...set });
    expect(await access.get().write([{ check: key, when: { equals: set } }])).toEqual([]);
    expect(await access.get().update(key, { unset: names })).toEqual(key);
  });

  it('an update adds only below a bound', async () => {
    const key = newKey();
    const attempts = Array.from({ length: 5 }, () =>
      access.get().update(key, { add: { n: 1 }, when: { below: { n: 3 } } }),
    );
    const counts = (await Promise.all(attempts)).map((item) => item?.n);
    expect(counts.filter((count) => count !== undefined).toSorted()).toEqual([1, 2, 3]);
  });

  it('an update rejects an addition to a value that is no number', async () => {
    const key = await stored(access.get(), { n: 'x' });
    await expect(access.get().update(key, { add: { n: 1 } })).rejects.toThrow();
    expect(await access.get().get(key)).toEqual({ ...key, n: 'x' });
  });
}

export function expiry(access: Access): void {
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

  it('the expiry can be moved and removed by updates', async () => {
    const key = await stored(access.get(), { expiresAt: now() + aMinute });
    await access.get().update(key, { set: { expiresAt: now() - aMinute } });
    expect(await access.get().get(key)).toBeUndefined();
    const other = await stored(access.get(), { expiresAt: now() + aMinute });
    expect(await access.get().update(other, { unset: ['expiresAt'] })).toEqual(other);
  });
}
