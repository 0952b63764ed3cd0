import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EVENT_SCHEMA } from '../../../local/sqlite/event-schema.ts';
import { itemStore } from '../../../local/sqlite/item-store.ts';
import { prefixEnd } from '../../../local/sqlite/prefix-end.ts';
import { SCHEMA } from '../../../local/sqlite/schema.ts';

let time = 0;
let database: DatabaseSync;
let store: ReturnType<typeof itemStore>;

beforeEach(() => {
  time = 1000;
  database = new DatabaseSync(':memory:');
  database.exec(SCHEMA + EVENT_SCHEMA);
  store = itemStore(database, () => time);
});

const count = () => database.prepare('SELECT count(*) AS n FROM item').get()?.n;

describe('expiry', () => {
  it('happens at the given second', () => {
    store.put([{ pk: 'p', sk: 's', expiresAt: 1010 }]);
    time = 1009.9;
    expect(store.get({ pk: 'p', sk: 's' })).toMatchObject({ expiresAt: 1010 });
    time = 1010;
    expect(store.get({ pk: 'p', sk: 's' })).toBeUndefined();
  });

  it('must be a number', () => {
    expect(() => store.put([{ pk: 'p', sk: 's', expiresAt: Number.NaN }])).toThrow(RangeError);
  });

  it('deletes a limited number of items per sweep', () => {
    store.put(Array.from({ length: 12 }, (_, n) => ({ pk: 'p', sk: `s${n}`, expiresAt: 1001 })));
    store.put([
      { pk: 'p', sk: 'later', expiresAt: 2000 },
      { pk: 'p', sk: 'never' },
    ]);
    expect(store.sweep(5)).toBe(0);
    time = 1500;
    expect([store.sweep(5), store.sweep(5), store.sweep(5)]).toEqual([5, 5, 2]);
    expect(count()).toBe(2);
  });
});

describe('prefixEnd', () => {
  const text = fc.string({ unit: 'binary', maxLength: 8 });
  const isLess = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

  it('is greater than every text with the prefix', () => {
    fc.assert(
      fc.property(text, text, (prefix, rest) => {
        const end = prefixEnd(prefix);
        expect(end === undefined || isLess(prefix + rest, end)).toBe(true);
      }),
    );
  });

  it('is not greater than any following text without the prefix', () => {
    fc.assert(
      fc.property(text, text, (prefix, other) => {
        fc.pre(!other.startsWith(prefix) && isLess(prefix, other));
        const end = prefixEnd(prefix);
        expect(end !== undefined && !isLess(other, end)).toBe(true);
      }),
    );
  });

  it('skips surrogates, and is undefined if no text follows', () => {
    expect(prefixEnd('a\ud7ff')).toBe('a\ue000');
    expect(prefixEnd('a\u{10ffff}')).toBe('b');
    expect(prefixEnd('\u{10ffff}')).toBeUndefined();
    expect(prefixEnd('')).toBeUndefined();
  });
});
