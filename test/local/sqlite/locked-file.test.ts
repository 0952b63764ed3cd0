import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openReader } from '../../../local/sqlite/database.ts';
import { openStores } from '../../../local/sqlite/stores.ts';
import { table } from '../../../local/sqlite/table.ts';
import { closeStore, openStore } from '../../../local/threads/open-store.ts';
import { outputOf, startProcess } from '../../support/child-process.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const key = { pk: 'p', sk: 's' };
let folder: TemporaryFolder;
let other: DatabaseSync;

beforeEach(async () => {
  folder = temporaryFolder();
  await openStore(folder.path);
  await table.putMany([{ ...key, n: 1 }]);
  other = new DatabaseSync(join(folder.path, 'site-search.sqlite'), { timeout: 5000 });
});
afterEach(async () => {
  other.close();
  await closeStore();
  folder.remove();
});

describe('while another process holds the write lock', () => {
  it('a write fails as unavailable within 5 s, and is not done later', async () => {
    other.exec('BEGIN IMMEDIATE');
    const begun = performance.now();
    await expect(table.putMany([{ ...key, n: 2 }])).rejects.toMatchObject({ name: 'UnavailableError' });
    expect(performance.now() - begun).toBeLessThan(5000);
    await delay(200);
    other.exec('ROLLBACK');
    await table.update(key, { set: { m: 3 } });
    expect(await table.get(key)).toMatchObject({ n: 1, m: 3 });
  });

  it('all threads can read', async () => {
    const reader = openReader(join(folder.path, 'site-search.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    const writing = table.putMany([{ ...key, n: 2 }]);
    expect(openStores(reader).table.get(key)).toMatchObject({ n: 1 });
    expect(await table.get(key)).toMatchObject({ n: 1 });
    other.exec('COMMIT');
    await writing;
    expect(openStores(reader).table.get(key)).toMatchObject({ n: 2 });
    reader.close();
  });

  it('a start waits for the lock', async () => {
    await closeStore();
    const starting = startProcess('support/store-writer.ts', folder.path, 'send');
    let isOver = false;
    const ended = outputOf(starting).then(() => {
      isOver = true;
    });
    while (!isOver) {
      other.exec('BEGIN IMMEDIATE');
      await delay(100); // longer than SQLite waits for a lock once a file is open
      other.exec('ROLLBACK');
      await delay(5);
    }
    await ended;
    expect(starting.exitCode).toBe(0);
  });

  it('a write waits for the lock', async () => {
    other.exec('BEGIN IMMEDIATE');
    const writing = table.putMany([{ ...key, n: 2 }]);
    await delay(200);
    other.exec('COMMIT');
    await writing;
    expect(await table.get(key)).toMatchObject({ n: 2 });
  });
});
