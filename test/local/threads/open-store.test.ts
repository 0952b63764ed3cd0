import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabase, shrink } from '../../../local/sqlite/database.ts';
import { table } from '../../../local/sqlite/table.ts';
import { closeStore, openStore } from '../../../local/threads/open-store.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

let folder: TemporaryFolder;
const file = () => join(folder.path, 'site-search.sqlite');

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await closeStore();
  folder.remove();
});

describe('openStore', () => {
  it('creates the folder, and a file that only its owner may read', async () => {
    const deep = join(folder.path, 'a', 'b');
    await openStore(deep);
    expect(statSync(deep).mode & 0o777).toBe(0o700);
    expect(statSync(join(deep, 'site-search.sqlite')).mode & 0o777).toBe(0o600);
  });

  it('finds the items of an earlier run', async () => {
    await openStore(folder.path);
    await table.putMany([{ pk: 'p', sk: 's', n: 1 }]);
    await closeStore();
    await openStore(folder.path);
    expect(await table.get({ pk: 'p', sk: 's' })).toEqual({ pk: 'p', sk: 's', n: 1 });
  });

  it('adds what a file of format 8 lacks', async () => {
    const triggers = () => {
      const database = openDatabase(folder.path);
      const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name").all();
      const format = database.prepare('PRAGMA user_version').get()?.user_version;
      for (const { name } of names) database.exec(`DROP TRIGGER ${name}`);
      database.exec('PRAGMA user_version = 8');
      database.close();
      return { format, names: names.map(({ name }) => name) };
    };
    const ofNewFile = triggers();
    expect(ofNewFile.names).toContain('query_day_removed');
    expect(triggers()).toEqual(ofNewFile);
  });

  it('uses a write-ahead log, and waits for the disk at every commit', () => {
    const database = openDatabase(folder.path);
    const setting = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect([setting('journal_mode'), setting('synchronous')]).toEqual(['wal', 2]);
    database.close();
  });

  it('refuses to open a second one in the same thread', async () => {
    await openStore(folder.path);
    await expect(openStore(folder.path)).rejects.toThrow('The local store is already open');
    await table.putMany([{ pk: 'p', sk: 's' }]);
  });

  it('can be called again after a failure', async () => {
    writeFileSync(file(), 'not a database, but long enough to be looked at as one'.repeat(50));
    await expect(openStore(folder.path)).rejects.toThrow();
    folder.remove();
    await openStore(folder.path);
  });
});

describe('deleted data', () => {
  const SECRET = 'words of a page that must go';
  const items = Array.from({ length: 2000 }, (_, n) => ({
    pk: 'p',
    sk: `s${n}`,
    text: `${SECRET} ${'x'.repeat(1000)}`,
  }));

  it('leaves the file, which shrinks step by step', async () => {
    const database = openDatabase(folder.path);
    const insert = database.prepare('INSERT INTO item (pk, sk, value) VALUES (?, ?, ?)');
    for (const { pk, sk, text } of items) insert.run(pk, sk, text);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const before = statSync(file()).size;
    expect(readFileSync(file(), 'latin1')).toContain(SECRET);
    database.exec('DELETE FROM item');
    let steps = 1;
    while (shrink(database, 100)) steps++;
    database.close();
    expect(readFileSync(file(), 'latin1')).not.toContain(SECRET);
    expect(statSync(file()).size).toBeLessThan(before / 5);
    expect(steps).toBeGreaterThan(3);
  });
});

describe('openStore refuses, in one line that says what to do,', () => {
  async function refusal(dataDir = folder.path): Promise<string> {
    const opening = openStore(dataDir).then(() => ({ message: 'The store opened' }));
    const { message } = await opening.catch((error: Error) => error);
    expect(message).not.toContain('\n');
    return message;
  }

  function database(change: string): void {
    const made = new DatabaseSync(file());
    made.exec(change);
    made.close();
  }

  it('a folder that cannot be created', async () => {
    writeFileSync(join(folder.path, 'taken'), '');
    const dataDir = join(folder.path, 'taken', 'data');
    expect(await refusal(dataDir)).toBe(
      `${dataDir} cannot be written (ENOTDIR): check its permissions, or name another folder with --data`,
    );
  });

  it('a folder that may not be written', async () => {
    chmodSync(folder.path, 0o500);
    const isRoot = process.getuid?.() === 0; // root may write everywhere but in /proc
    expect(await refusal(isRoot ? '/proc' : folder.path)).toContain('cannot be written (E');
  });

  it('a folder with the name of the file', async () => {
    mkdirSync(file());
    expect(await refusal()).toContain('cannot be written (EISDIR)');
  });

  it('a file that is not a database', async () => {
    const text = 'This text is not a database. '.repeat(100);
    writeFileSync(file(), text);
    expect(await refusal()).toBe(
      `${file()} is not a SQLite database: move it away, or name another folder with --data`,
    );
    expect(readFileSync(file(), 'utf8')).toBe(text);
  });

  it('a database of another application', async () => {
    database('PRAGMA application_id = 77; CREATE TABLE item (x)');
    const before = readFileSync(file());
    expect(await refusal()).toContain('belongs to another application: move it away');
    expect(readFileSync(file())).toEqual(before);
  });

  it('a database with tables and no application id', async () => {
    database('CREATE TABLE notes (x)');
    expect(await refusal()).toContain('belongs to another application');
  });

  it('a file of a newer version', async () => {
    await openStore(folder.path);
    await closeStore();
    database('PRAGMA user_version = 99');
    expect(await refusal()).toMatch(/was written by a newer version \(format 99, this one knows \d+\): update/);
  });

  it('a file of an earlier format, none of which was released', async () => {
    await openStore(folder.path);
    await closeStore();
    database('PRAGMA user_version = 1');
    expect(await refusal()).toMatch(/was written by an earlier version \(format 1, this one knows \d+\): move it away/);
  });

  it('a damaged file', async () => {
    await openStore(folder.path);
    await closeStore();
    const bytes = readFileSync(file());
    bytes.fill(0xff, 100, 4096);
    writeFileSync(file(), bytes);
    expect(await refusal()).toContain('is damaged: stop the service and restore a backup');
  });
});
