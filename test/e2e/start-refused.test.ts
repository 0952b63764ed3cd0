import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeOrganisation, run } from '../support/admin-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('npm start that fails', () => {
  const folder = temporaryFolder();
  const blocker = createServer();

  beforeAll(() => new Promise<void>((resolve) => void blocker.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    blocker.close();
    folder.remove();
  });

  /** Expects one line on stderr, nothing else, and exit code 1. */
  async function fails(args: readonly string[], words: RegExp, variables = {}): Promise<void> {
    const { code, stdout, stderr } = await run('local', args, variables);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(words);
  }

  it('reports that the port is in use, and leaves no old ready.json', async () => {
    const { port } = blocker.address() as AddressInfo;
    const data = join(folder.path, 'taken');
    await makeOrganisation(data, 'free');
    writeFileSync(join(data, 'ready.json'), '{}');
    await fails(['--port', String(port), '--data', data], /Port \d+ is taken: .*--port/);
    expect(existsSync(join(data, 'ready.json'))).toBe(false);
  });

  it.each([
    [['--port', 'x'], /--port must be a number.*not x/],
    [['--port', '65536'], /--port must be a number/],
    [['--port=-1'], /--port must be a number/],
    [['--port', '-1'], /--port.*--data/],
    [['--prot', '1'], /--prot.*--port N, --data DIR and --no-demo/],
    [['demo'], /demo.*--no-demo/],
    [['8080'], /8080.*put -- before them/], // npm passes `npm start --port 8080` on like this
    [['https://a.example/', 'https://b.example/'], /b\.example.*one address/],
    [['--data='], /--data must name a folder/],
  ])('reports the fault of the options %j', (args, words) => fails(args, words));

  it('reports all faults of the environment at once', async () => {
    const variables = { CRAWL_ALLOW_HOSTS: 'localhost:1,http://localhost:2', EMBEDDING_DIMENSIONS: 'many' };
    const words = /EMBEDDING_DIMENSIONS: .*; CRAWL_ALLOW_HOSTS: must be hosts such as localhost:3000/;
    await fails(['--port', '0', '--data', join(folder.path, 'unusable')], words, variables);
  });

  it('reports a file in place of the data folder', async () => {
    const path = join(folder.path, 'file');
    writeFileSync(path, '');
    await fails(['--port', '0', '--data', path], /file.*--data/);
    await fails(['--port', '0', '--data', join(path, 'below')], /below.*--data/);
  });

  it('reports that the data folder is not writable', async () => {
    await fails(['--port', '0', '--data', '/proc'], /The data folder \/proc cannot be (?:created|written).*--data/);
  });

  it('reports that the data folder cannot be made, where the system denies that its parent exists', async () => {
    const folder = process.platform === 'linux' ? '/proc/new' : '/dev/null/new';
    await fails(['--port', '0', '--data', folder], /The data folder .*new cannot be created.*--data/);
  });

  it('reports that the data file was lost, and does not make an empty one', async () => {
    const data = join(folder.path, 'lost');
    await makeOrganisation(data, 'free');
    writeFileSync(join(data, 'local-key'), 'ssk_some_key');
    rmSync(join(data, 'site-search.sqlite'));
    await fails(
      ['--port', '0', '--data', data],
      /site-search\.sqlite is missing or empty.*restore it.*remove .*local-key/,
    );
    expect(existsSync(join(data, 'site-search.sqlite'))).toBe(false);
  });

  it('reports that a page inside the data file is garbage', async () => {
    const data = join(folder.path, 'garbage');
    await makeOrganisation(data, 'free');
    const file = join(data, 'site-search.sqlite');
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 4096 * 4, 4096 * 6);
    writeFileSync(file, bytes);
    await fails(
      ['--port', '0', '--data', data],
      /site-search\.sqlite is damaged: stop the service and restore a backup/,
    );
  });

  it('reports that the data file was cut short', async () => {
    const data = join(folder.path, 'cut');
    await makeOrganisation(data, 'free');
    const file = join(data, 'site-search.sqlite');
    writeFileSync(file, readFileSync(file).subarray(0, 4096 * 3));
    await fails(
      ['--port', '0', '--data', data],
      /site-search\.sqlite is damaged: stop the service and restore a backup/,
    );
  });

  it('reports that the data file lacks its last byte', async () => {
    const data = join(folder.path, 'short');
    await makeOrganisation(data, 'free');
    const file = join(data, 'site-search.sqlite');
    writeFileSync(file, readFileSync(file).subarray(0, -1));
    await fails(
      ['--port', '0', '--data', data],
      /site-search\.sqlite is damaged: stop the service and restore a backup/,
    );
  });

  it('reports a folder in place of the data file', async () => {
    const data = join(folder.path, 'folder');
    mkdirSync(join(data, 'site-search.sqlite'), { recursive: true });
    await fails(
      ['--port', '0', '--data', data],
      /site-search\.sqlite is a folder: move it away.*restore a backup.*--data/,
    );
  });

  it.each(['item', 'page'])('reports that the data file lost its table %s', async (table) => {
    const data = join(folder.path, `without-${table}`);
    await makeOrganisation(data, 'free');
    const database = new DatabaseSync(join(data, 'site-search.sqlite'));
    database.exec(`DROP TABLE "${table}"`);
    database.close();
    await fails(['--port', '0', '--data', data], new RegExp(`lacks the table "${table}": .*restore a backup`));
  });

  it('reports that a newer version wrote the data', async () => {
    const data = join(folder.path, 'newer');
    await makeOrganisation(data, 'free');
    const database = new DatabaseSync(join(data, 'site-search.sqlite'));
    database.exec('PRAGMA user_version = 999');
    database.close();
    await fails(['--port', '0', '--data', data], /newer version.*update.*--data/);
  });
});
