import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Call, Reply } from '../../../lambdas/adapters/local/engine/calls.ts';
import { openDatabase } from '../../../lambdas/adapters/local/engine/database.ts';
import { groupCommit } from '../../../lambdas/adapters/local/engine/group-commit.ts';
import { CLOCKS, openStores, type Stores } from '../../../lambdas/adapters/local/engine/stores.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const UNBOUNDED_MS = 60_000;

let folder: TemporaryFolder;
let database: DatabaseSync;
let stores: Stores;
let commit: ReturnType<typeof groupCommit>;

beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.path);
  stores = openStores(database, CLOCKS, () => {});
  commit = groupCommit(database, stores);
});
afterEach(() => {
  database.close();
  folder.remove();
});

let lastId = 0;
function call(method: keyof Stores['table'], ...args: readonly unknown[]): Call {
  lastId += 1;
  return { id: lastId, store: 'table', method, args, deadline: Number.POSITIVE_INFINITY };
}

const put = (sk: string, text = '') => call('put', [{ pk: 'p', sk, text }]);
const kinds = (replies: readonly Reply[]) => replies.map((reply) => ('failure' in reply ? reply.failure.kind : 'done'));
const storedKeys = () => stores.table.query('p', { limit: 1000 }).items.map(({ sk }) => sk);

describe('groupCommit', () => {
  it('answers the calls in their order', () => {
    const calls = [
      put('a'),
      call('get', { pk: 'p', sk: 'a' }),
      call('update', { pk: 'p', sk: 'b' }, { add: { n: 1 } }),
    ];
    const replies = commit(calls, UNBOUNDED_MS);
    expect(replies.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
    expect(replies).toMatchObject([{}, { answer: { sk: 'a' } }, { answer: { n: 1 } }]);
    expect(database.isTransaction).toBe(false);
  });

  it('waits for the disk unless all writes are derived', () => {
    const waitsForDisk = () => database.prepare('PRAGMA synchronous').get()?.synchronous === 2;
    const derived: Call = { ...put('a'), store: 'pageIndex', method: 'remove', args: [[]] };
    expect(waitsForDisk()).toBe(true);
    commit([derived], UNBOUNDED_MS);
    expect(waitsForDisk()).toBe(false);
    commit([derived, put('a')], UNBOUNDED_MS);
    expect(waitsForDisk()).toBe(true);
  });

  it('tells damaged data from other failures', () => {
    commit([put('a')], UNBOUNDED_MS);
    database.exec("UPDATE item SET value = '{'");
    const add = call('update', { pk: 'p', sk: 'a' }, { add: { n: 1 } });
    expect(kinds(commit([add], UNBOUNDED_MS))).toEqual(['damaged']);
  });

  it('rolls back a call that fails, and no other', () => {
    const half = call('put', [
      { pk: 'p', sk: 'b1' },
      { pk: 'p', sk: '' },
    ]);
    expect(kinds(commit([put('a'), half, put('c')], UNBOUNDED_MS))).toEqual(['done', 'limit', 'done']);
    expect(storedKeys()).toEqual(['a', 'c']);
  });

  it('reports an unknown method or a wrong argument as a fault', () => {
    const misspelt = { ...put('a'), method: 'putt' };
    const wrong = call('query', 'p', undefined);
    expect(kinds(commit([misspelt, wrong], UNBOUNDED_MS))).toEqual(['fault', 'fault']);
  });

  it('does at least one call, and starts no other after its time budget', () => {
    const replies = commit([put('a'), put('b')], -1);
    expect(kinds(replies)).toEqual(['done']);
    expect(storedKeys()).toEqual(['a']);
  });

  it('fails writes while the disk is full, and accepts them again later', () => {
    const room = Number(database.prepare('PRAGMA page_count').get()?.page_count) + 40;
    database.exec(`PRAGMA max_page_count = ${room}`);
    const [small, large] = [put('small', 'x'.repeat(5_000)), put('large', 'x'.repeat(390_000))];
    const replies = commit([small, large, put('after')], UNBOUNDED_MS);
    expect(kinds(replies)).toContain('full');
    expect(kinds(replies).filter((kind) => kind === 'done')).toHaveLength(storedKeys().length);
    expect(database.isTransaction).toBe(false);

    database.exec('PRAGMA max_page_count = 1000000');
    expect(kinds(commit([large], UNBOUNDED_MS))).toEqual(['done']);
    expect(storedKeys()).toContain('large');
  });
});
