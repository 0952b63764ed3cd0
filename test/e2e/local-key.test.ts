import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admin } from '../support/admin-command.ts';
import { LocalService } from '../support/local-service.ts';

describe('npm start with a key that no longer works', () => {
  let service: LocalService;
  let siteId: string;

  beforeAll(async () => {
    service = await LocalService.start();
    siteId = await service.createSite('https://docs.example/');
  });
  afterAll(() => service.end());

  async function restarted(): Promise<void> {
    const { apiKey, orgId } = service.ready;
    await service.kill('SIGTERM');
    await service.restart();
    expect(service.ready.apiKey).not.toBe(apiKey);
    expect(service.ready.orgId).toBe(orgId);
  }

  it('makes a new key for the same sites after the key was revoked', async () => {
    await admin(service.dataDir, 'key', 'revoke', '--key', String(service.ready.apiKey.split('_')[1]));
    await restarted();
    expect((await service.api('GET', `/sites/${siteId}`)).status).toBe(200);
  });

  it('makes a new key for the same sites after its file was lost', async () => {
    rmSync(join(service.dataDir, 'local-key'));
    await restarted();
    expect((await service.api('GET', `/sites/${siteId}`)).status).toBe(200);
  });
});
