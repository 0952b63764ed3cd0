import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { control, Owner, press, sees, tableOf, type } from './owner.ts';

describe('the screen of keys', () => {
  let owner: Owner;
  beforeAll(async () => {
    owner = await Owner.start();
  });
  afterAll(() => owner.end());

  const statusWith = async (key: string): Promise<number> =>
    (await owner.service.client(key)('GET', '/api/organisation')).status;

  it('makes a key, shows it once, and revokes it', async () => {
    const page = await owner.open('/keys');
    await press(page, 'Create key');
    await type(page, 'Name', 'robot');
    await control(page, 'combobox', 'Role').fill('admin');
    await page.locator('[role=dialog] button[type=submit]').click();
    await sees(page, 'the only time that the key is shown');
    const key = await page.$eval('[role=dialog] code', (code) => code.textContent ?? '');
    expect(key).toMatch(/^ssk_/);
    expect((await owner.service.client(key)('GET', '/api/organisation')).body).toMatchObject({ role: 'admin' });
    await press(page, 'I have copied it');
    await sees(page, 'robot');
    expect(await page.$eval('body', (body) => body.textContent)).not.toContain(key);

    await press(page, 'Revoke: robot');
    await sees(page, 'stops working within 30 seconds');
    await press(page, 'Revoke');
    await sees(page, 'robot is revoked.');
    const rows = await tableOf(page, 'API keys, newest first');
    expect(rows.find(([name]) => name === 'robot')).toContain('revoked');
    await eventually(async () => (await statusWith(key)) === 401 || undefined, 35_000);
  });

  it('says why the last key of an owner stays', async () => {
    const page = await owner.open('/keys');
    await press(page, 'Revoke: local');
    await sees(page, 'You will be signed out');
    await press(page, 'Revoke');
    await sees(page, 'last');
    expect(await statusWith(owner.service.ready.apiKey)).toBe(200);
  });

  it('says which role is needed, and lists nothing, for a member', async () => {
    const page = await owner.open('/keys', {}, await owner.key('member'));
    await sees(page, 'This needs a key with the role admin');
    expect(await page.$('table')).toBeNull();
  });

  it('throws nothing, and breaks no rule of the content security policy', () => {
    expect(owner.faults).toEqual([]);
  });
});
