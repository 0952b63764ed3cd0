import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lambdas/adapters/local/engine/database.ts';
import { closeEngine, openEngine } from '../../../lambdas/adapters/local/engine.ts';
import { table } from '../../../lambdas/adapters/local/table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder = temporaryFolder();
const file = () => join(folder.path, 'site-search.sqlite');

beforeEach(() => {
  folder.remove();
  folder = temporaryFolder();
});
afterEach(async () => {
  await closeEngine();
  folder.remove();
});

describe('openEngine', () => {
  it('makes the folder and a file that only its owner reads', async () => {
    const deep = join(folder.path, 'a', 'b');
    await openEngine(deep);
    expect(statSync(deep).mode & 0o777).toBe(0o700);
    expect(statSync(join(deep, 'site-search.sqlite')).mode & 0o777).toBe(0o600);
  });

  it('finds what an earlier run has written', async () => {
    await openEngine(folder.path);
    await table.putMany([{ pk: 'p', sk: 's', n: 1 }]);
    await closeEngine();
    await openEngine(folder.path);
    expect(await table.get({ pk: 'p', sk: 's' })).toEqual({ pk: 'p', sk: 's', n: 1 });
  });

  it('writes ahead, and waits for the disk at every commit', () => {
    const database = openDatabase(folder.path);
    const setting = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect([setting('journal_mode'), setting('synchronous')]).toEqual(['wal', 2]);
    database.close();
  });

  it('refuses to open a second one in the same thread', async () => {
    await openEngine(folder.path);
    await expect(openEngine(folder.path)).rejects.toThrow('The local store is open already');
    await table.putMany([{ pk: 'p', sk: 's' }]);
  });

  it('may be called again after a failure', async () => {
    writeFileSync(file(), 'not a database, but long enough to be looked at as one'.repeat(50));
    await expect(openEngine(folder.path)).rejects.toThrow();
    folder.remove();
    await openEngine(folder.path);
  });
});

describe('what cannot be opened is refused in one line that says what to do', () => {
  async function refusal(dataDir = folder.path): Promise<string> {
    const error: unknown = await openEngine(dataDir).catch((caught: unknown) => caught);
    if (!(error instanceof Error)) throw new Error('It was opened');
    expect(error.message).not.toContain('\n');
    return error.message;
  }

  function database(change: string): void {
    const made = new DatabaseSync(file());
    made.exec(change);
    made.close();
  }

  it('a folder that cannot be made', async () => {
    writeFileSync(join(folder.path, 'taken'), '');
    const dataDir = join(folder.path, 'taken', 'data');
    expect(await refusal(dataDir)).toBe(
      `${dataDir} cannot be written (ENOTDIR): give yourself the right to, or name another folder with --data`,
    );
  });

  it('a folder that may not be written', async () => {
    chmodSync(folder.path, 0o500);
    const isRoot = process.getuid?.() === 0; // may write everywhere but there
    expect(await refusal(isRoot ? '/proc' : folder.path)).toContain('cannot be written (E');
  });

  it('a folder in the place of the file', async () => {
    mkdirSync(file());
    expect(await refusal()).toContain('cannot be written (EISDIR)');
  });

  it('a file that is no database', async () => {
    const text = 'Dear diary, this is not a database. '.repeat(100);
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

  it('a database that has tables and no owner', async () => {
    database('CREATE TABLE notes (x)');
    expect(await refusal()).toContain('belongs to another application');
  });

  it('a file of a newer version', async () => {
    await openEngine(folder.path);
    await closeEngine();
    database('PRAGMA user_version = 99');
    expect(await refusal()).toMatch(/was written by a newer version \(format 99, this one knows \d+\): update/);
  });

  it('a damaged file', async () => {
    await openEngine(folder.path);
    await closeEngine();
    const bytes = readFileSync(file());
    bytes.fill(0xff, 100, 4096);
    writeFileSync(file(), bytes);
    expect(await refusal()).toContain('is damaged: put a copy of it in its place');
  });
});
