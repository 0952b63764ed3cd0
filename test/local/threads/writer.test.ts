import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as oneTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../local/sqlite/database.ts';
import { openStores, type Stores } from '../../../local/sqlite/stores.ts';
import { type Call, monotonicMs } from '../../../local/threads/calls.ts';
import { Writer } from '../../../local/threads/writer.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const UNBOUNDED_MS = 60_000;

let folder: TemporaryFolder;
let database: DatabaseSync;
let stores: Stores;
let writer: Writer;
/** The results of the calls, in order: `client: answer` or `client: name of the error`. */
let ended: string[];

beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.path);
  stores = openStores(database);
  writer = new Writer(database, stores, UNBOUNDED_MS);
  ended = [];
});
afterEach(() => {
  database.close();
  folder.remove();
});

const inAMinute = () => monotonicMs() + 60_000;
const call = (method: keyof Stores['table'], ...args: readonly unknown[]): Call => ({
  store: 'table',
  method,
  args,
  deadline: inAMinute(),
});
const put = (sk: string, text = '') => call('put', [{ pk: 'p', sk, text }]);
const add = (sk = 'n') => call('update', { pk: 'p', sk }, { add: { n: 1 } });
const storedKeys = () => stores.table.query('p', { limit: 1000 }).items.map(({ sk }) => sk);

/** Begins a call, of which the end is noted under the name of its client. */
async function begin(call: Call, client = ''): Promise<void> {
  try {
    const answer = (await writer.call(call, client)) as { readonly n?: number } | undefined;
    ended.push(`${client}: ${answer?.n ?? 'done'}`);
  } catch (error) {
    ended.push(`${client}: ${(error as Error).constructor.name}`);
  }
}

/** Begins calls of one client, and does them as far as one turn goes. */
async function ends(...calls: readonly Call[]): Promise<readonly string[]> {
  ended = [];
  for (const each of calls) void begin(each);
  await oneTurn();
  return ended.map((end) => end.slice(2));
}

/** Does all that waits. */
async function finish(): Promise<void> {
  writer.finish();
  await oneTurn();
}

describe('the turns of clients', () => {
  it("keep a client's calls in their order", async () => {
    for (const each of [add('s'), put('s'), add('s')]) void begin(each, 'one');
    await finish();
    expect(ended).toEqual(['one: 1', 'one: done', 'one: 1']);
  });

  it('are limited, so that the calls of others come between', async () => {
    writer = new Writer(database, stores);
    const many = Array.from({ length: 400 }, (_, n) => ({ pk: 'p', sk: `k${n}`, text: 'x'.repeat(1000) }));
    for (let n = 0; n < 50; n++) void begin(call('put', many), 'crawler');
    await oneTurn();
    expect(ended.length).toBeLessThan(50);
    void begin(put('a'), 'visitor');
    await finish();
    expect(ended.indexOf('visitor: done')).toBeLessThan(50);
    expect(ended).toHaveLength(51);
  });

  it("have each client's first write before any client's second", async () => {
    for (let n = 0; n < 3; n++) void begin(add(), 'crawler');
    for (let n = 0; n < 2; n++) void begin(add(), 'visitor');
    await finish();
    expect(ended).toEqual(['crawler: 1', 'visitor: 2', 'crawler: 3', 'visitor: 4', 'crawler: 5']);
  });

  it('leave out a call whose deadline has passed', async () => {
    void begin({ ...put('late'), deadline: monotonicMs() - 1 }, 'one');
    void begin(add(), 'one');
    await finish();
    expect(ended.toSorted()).toEqual(['one: 1', 'one: UnavailableError']);
    expect(storedKeys()).toEqual(['n']);
  });
});

describe('a transaction', () => {
  it('has the calls in their order', async () => {
    expect(await ends(put('a'), call('get', { pk: 'p', sk: 'a' }), add('b'))).toEqual(['done', 'done', '1']);
    expect(database.isTransaction).toBe(false);
  });

  it('waits for the disk unless all writes are derived', async () => {
    const waitsForDisk = () => database.prepare('PRAGMA synchronous').get()?.synchronous === 2;
    const derived: Call = { ...put('a'), store: 'pageIndex', method: 'remove', args: [[]] };
    expect(waitsForDisk()).toBe(true);
    await ends(derived);
    expect(waitsForDisk()).toBe(false);
    await ends(derived, put('a'));
    expect(waitsForDisk()).toBe(true);
  });

  it('tells damaged data from other failures', async () => {
    await ends(put('a'));
    database.exec("UPDATE item SET value = '{'");
    expect(await ends(add('a'))).toEqual(['DamagedStoreError']);
  });

  it('is rolled back by a call that fails as far as that call goes', async () => {
    const half = call('put', [
      { pk: 'p', sk: 'b1' },
      { pk: 'p', sk: '' },
    ]);
    expect(await ends(put('a'), half, put('c'))).toEqual(['done', 'RangeError', 'done']);
    expect(storedKeys()).toEqual(['a', 'c']);
    expect(await ends(half)).toEqual(['RangeError']);
    expect(await ends(put('d'))).toEqual(['done']);
    expect(storedKeys()).toEqual(['a', 'c', 'd']);
  });

  it('fails an unknown method or a wrong argument as a fault', async () => {
    const misspelt = { ...put('a'), method: 'putt' };
    const wrong = call('query', 'p', undefined);
    expect(await ends(misspelt, wrong)).toEqual(['Error', 'Error']);
  });

  it('has at least one call, and no other after its time', async () => {
    writer = new Writer(database, stores, -1);
    expect(await ends(put('a'), put('b'))).toEqual(['done']);
    expect(storedKeys()).toEqual(['a']);
    await finish();
    expect(storedKeys()).toEqual(['a', 'b']);
  });

  it('fails while the disk is full, and succeeds later', async () => {
    const room = Number(database.prepare('PRAGMA page_count').get()?.page_count) + 40;
    database.exec(`PRAGMA max_page_count = ${room}`);
    const [small, large] = [put('small', 'x'.repeat(5_000)), put('large', 'x'.repeat(390_000))];
    void begin(small);
    void begin(large);
    void begin(put('after'));
    await finish();
    expect(ended).toContain(': StoreFullError');
    expect(ended.filter((end) => end === ': done')).toHaveLength(storedKeys().length);
    expect(database.isTransaction).toBe(false);

    database.exec('PRAGMA max_page_count = 1000000');
    expect(await ends(large)).toEqual(['done']);
    expect(storedKeys()).toContain('large');
  });
});
