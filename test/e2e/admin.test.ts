import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admin, makeKey, makeOrganisation, run } from '../support/admin-command.ts';
import type { ApiClient } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const NEW = { name: 'Docs', baseUrl: 'https://docs.example' };
const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const KEY = /^ssk_([0-9a-f-]{36})_[\w-]{43}$/;

describe('npm run admin beside a running server', () => {
  let service: LocalService;
  let elsewhere: TemporaryFolder;

  beforeAll(async () => {
    elsewhere = temporaryFolder();
    service = await LocalService.start();
  });
  afterAll(async () => {
    await service.end();
    elsewhere.remove();
  });

  const client = (apiKey: string | undefined): ApiClient => service.client(apiKey);
  const statusOf = async (apiKey: string | undefined): Promise<number> =>
    (await client(apiKey)('GET', '/api/sites')).status;

  it('creates an organisation whose key works at once', async () => {
    const made = await admin(service.dataDir, 'organisation', 'create', '--name', 'Città & Söhne', '--plan', 'pro');
    expect(Object.keys(made)).toEqual(['orgId', 'apiKey']);
    expect(made.apiKey).toMatch(KEY);
    const answer = await client(made.apiKey)('GET', `/api/organisations/${made.orgId}/ai-search/sites`);
    expect(answer).toMatchObject({ status: 200, body: { sites: [] } });
  });

  it('prints one line of JSON through npm', async () => {
    const command = ['run', '--silent', 'admin', '--', '--data', service.dataDir];
    const args = ['organisation', 'create', '--name', 'By npm', '--plan', 'free'];
    const { stdout } = await promisify(execFile)('npm', [...command, ...args], {
      cwd: new URL('../../', import.meta.url).pathname,
    });
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(await statusOf(JSON.parse(stdout).apiKey)).toBe(200);
  });

  it.each([['check'], ['organisation list'], ['index rebuild'], [`export ${UNKNOWN}`]])(
    'refuses %s on a folder without data, and makes none',
    async (command) => {
      const missing = join(elsewhere.path, 'missing');
      const { code, stderr } = await run('admin', ['--data', missing, ...command.split(' ')]);
      expect([code, stderr]).toEqual([1, `There is no ${missing}/site-search.sqlite: check --data\n`]);
      expect(existsSync(missing)).toBe(false);
    },
  );

  it('changes the plan, with effect within 30 s', async () => {
    const { orgId, apiKey } = await makeOrganisation(service.dataDir, 'free');
    const call = client(apiKey);
    expect((await call('POST', '/api/sites', { body: NEW })).status).toBe(201);
    expect((await call('POST', '/api/sites', { body: NEW })).status).toBe(402);
    expect(await admin(service.dataDir, 'organisation', 'set-plan', '--org', orgId, '--plan', 'pro')).toEqual({
      orgId,
      plan: 'pro',
    });
    await eventually(async () => (await call('POST', '/api/sites', { body: NEW })).status === 201, 30_000);
  });

  it('creates keys that expire', async () => {
    const command = ['key', 'create', '--org', service.ready.orgId, '--role', 'member', '--name', 'x', '--expires'];
    const [brief, long] = await Promise.all(
      ['1', '3600'].map((seconds) => admin(service.dataDir, ...command, seconds)),
    );
    expect(brief?.apiKey).toMatch(KEY);
    expect(brief?.keyId).toBe(KEY.exec(brief?.apiKey ?? '')?.[1]);
    await eventually(async () => (await statusOf(brief?.apiKey)) === 401, 5000);
    expect(await statusOf(long?.apiKey)).toBe(200);
  });

  it('revokes a key permanently, and reports when it was first revoked', async () => {
    const apiKey = await makeKey(service.dataDir, service.ready.orgId, 'owner');
    const keyId = apiKey.split('_')[1] ?? '';
    expect(await statusOf(apiKey)).toBe(200);
    const revoked = await admin(service.dataDir, 'key', 'revoke', '--key', keyId);
    expect(revoked).toEqual({ keyId, revokedAt: expect.any(Number) });
    await eventually(async () => (await statusOf(apiKey)) === 401, 30_000);
    expect(await admin(service.dataDir, 'key', 'revoke', '--key', keyId)).toEqual(revoked);
    expect(await statusOf(service.ready.apiKey)).toBe(200);
  });

  it('reports invalid commands on stderr, with exit code 1', async () => {
    const key = ['key', 'create', '--org', service.ready.orgId, '--name', 'a', '--role'];
    const refusals: readonly (readonly [args: readonly string[], words: string])[] = [
      [[], 'Usage:'],
      [['toString'], 'Usage:'],
      [['key', 'destroy'], 'Usage:'],
      [['status'], 'Usage:'],
      [['organisation', 'create', '--colour', 'red'], '--colour'],
      [['organisation', 'create', '--colour', 'red'], 'Usage:'],
      [['organisation', 'create', '--plan', 'pro'], 'Usage:'],
      [['organisation', 'create', '--name', 'A', '--plan', 'gold'], 'free, pro, enterprise'],
      [['organisation', 'set-plan', '--org', UNKNOWN, '--plan', 'pro'], 'not found'],
      [['key', 'create', '--org', UNKNOWN, '--role', 'owner', '--name', 'a'], 'not found'],
      [['key', 'revoke', '--key', UNKNOWN], 'not found'],
      [[...key, 'boss'], 'owner, admin, member'],
      [[...key, 'owner', '--expires', '1e3'], 'seconds'],
    ];
    const ends = await Promise.all(refusals.map(([args]) => run('admin', ['--data', service.dataDir, ...args])));
    for (const [index, [args, words]] of refusals.entries()) {
      const { code, stdout, stderr } = ends[index] ?? { code: -1, stdout: '', stderr: '' };
      expect({ args, code, stdout, says: stderr.includes(words) }).toEqual({ args, code: 1, stdout: '', says: true });
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });

  it.each(['--help', '-h'])('prints its usage for %s', async (option) => {
    for (const args of [[option], ['key', 'create', option]]) {
      const { code, stdout, stderr } = await run('admin', ['--data', `${elsewhere.path}/none`, ...args]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('Usage: ');
      expect(stdout).toContain('key list --org ID');
    }
    expect(readdirSync(elsewhere.path)).not.toContain('none');
  });

  it('says that there is no such organisation', async () => {
    const { code, stdout, stderr } = await run('admin', ['--data', service.dataDir, 'key', 'list', '--org', 'typo']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('Organisation');
  });

  it('lists organisations and keys', async () => {
    const { orgId } = await makeOrganisation(service.dataDir, 'pro');
    const { keyId } = await admin(service.dataDir, 'key', 'create', '--org', orgId, '--role', 'admin', '--name', 'CI');
    const { organisations } = await admin(service.dataDir, 'organisation', 'list');
    expect(organisations).toContainEqual({ orgId, name: 'pro', plan: 'pro', createdAt: expect.any(Number) });
    expect(organisations).toContainEqual(expect.objectContaining({ orgId: service.ready.orgId, name: 'Local' }));
    const { keys } = await admin(service.dataDir, 'key', 'list', '--org', orgId);
    expect(keys).toMatchObject([
      { keyId, name: 'CI', role: 'admin', revokedAt: null },
      { name: 'first', role: 'owner' },
    ]);
    expect(JSON.stringify(keys)).not.toContain('ssk_');
  });

  it('works on a new folder', async () => {
    const folder = `${elsewhere.path}/new`;
    expect((await makeOrganisation(folder, 'free')).apiKey).toMatch(KEY);
    expect(readdirSync(folder)).toEqual(['site-search.sqlite']);
  });
});
