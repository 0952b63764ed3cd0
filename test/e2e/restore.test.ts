import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admin, run } from '../support/admin-command.ts';
import { LocalService } from '../support/local-service.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const NOTE = { url: '/note', title: 'Lantern', content: 'A lantern glows at dusk.', contentType: 'text' };

describe('a backup of a running server', () => {
  let service: LocalService;
  let elsewhere: TemporaryFolder;
  let siteId: string;
  let copy: string;

  const restore = (file: string) => run('admin', ['--data', service.dataDir, 'restore', file]);
  const found = async () => {
    const { body } = await service.client(service.ready.apiKey)('GET', `/v1/public/sites/${siteId}/search?q=lantern`);
    return body.totalResults;
  };

  beforeAll(async () => {
    elsewhere = temporaryFolder();
    copy = join(elsewhere.path, 'backup.sqlite');
    service = await LocalService.start();
    siteId = await service.createSite('https://lanterns.example/');
    await service.client(service.ready.apiKey)('POST', `/api/sites/${siteId}/pages`, { body: { pages: [NOTE] } });
    await admin(service.dataDir, 'backup', copy);
  });
  afterAll(async () => {
    await service.end();
    elsewhere.remove();
  });

  it('a backup can be read only by its owner, and is not overwritten by another', async () => {
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const { code, stderr } = await run('admin', ['--data', service.dataDir, 'backup', copy]);
    expect([code, stderr.trim()]).toEqual([1, `${copy} is there already: name another file, or remove it`]);
  });

  it('a backup is not restored while the server runs, and the data stays', async () => {
    const { code, stderr } = await restore(copy);
    expect([code, stderr.trim()]).toEqual([1, expect.stringMatching(/^A server is running on .*: stop it/)]);
    expect(await found()).toBe(1);
  });

  it('a restore brings back what was deleted since, and keeps the replaced data in another file', async () => {
    await service.client(service.ready.apiKey)('POST', `/api/sites/${siteId}/purge`);
    expect(await found()).toBe(0);
    await service.kill('SIGTERM');
    const target = join(service.dataDir, 'site-search.sqlite');
    const { code, stdout } = await restore(copy);
    expect([code, JSON.parse(stdout)]).toEqual([0, { restored: target, previous: `${target}.before-restore` }]);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    await service.restart();
    expect(await found()).toBe(1);
  });

  it('a restore can be undone with the replaced data', async () => {
    await service.kill('SIGTERM');
    const before = join(elsewhere.path, 'before.sqlite');
    writeFileSync(before, readFileSync(join(service.dataDir, 'site-search.sqlite.before-restore')));
    expect((await restore(before)).code).toBe(0);
    await service.restart();
    expect(await found()).toBe(0);
  });

  it('a restore creates a folder that does not exist yet', async () => {
    const folder = join(elsewhere.path, 'new');
    const { code, stdout } = await run('admin', ['--data', folder, 'restore', copy]);
    expect([code, JSON.parse(stdout)]).toEqual([0, { restored: join(folder, 'site-search.sqlite') }]);
    const { organisations } = await admin(folder, 'organisation', 'list');
    expect(organisations).toContainEqual(expect.objectContaining({ orgId: service.ready.orgId }));
  });
});

describe('a file that is no backup', () => {
  const elsewhere = temporaryFolder();
  afterAll(() => elsewhere.remove());
  const file = (name: string): string => join(elsewhere.path, name);

  const written = (name: string, text: string): string => {
    writeFileSync(file(name), text);
    return file(name);
  };
  const ofAnotherApplication = (): string => {
    const database = new DatabaseSync(file('other'));
    database.exec('CREATE TABLE x (y)');
    database.close();
    return file('other');
  };

  const isNone = (path: string): string => `${path} is not a backup of this service, or is damaged`;

  it.each<[string, () => string, ((path: string) => string)?]>([
    ['that does not exist', () => file('missing'), (path) => `There is no file ${path}: check the path`],
    ['of text', () => written('text', 'not a database')],
    ['that is empty', () => written('empty', '')],
    ['of another application', ofAnotherApplication],
  ])('%s is refused, and makes no data', async (_, make, messageFor = isNone) => {
    const [path, folder] = [make(), file('data')];
    const { code, stderr } = await run('admin', ['--data', folder, 'restore', path]);
    expect([code, stderr.trim()]).toEqual([1, messageFor(path)]);
    expect(existsSync(join(folder, 'site-search.sqlite'))).toBe(false);
  });
});
