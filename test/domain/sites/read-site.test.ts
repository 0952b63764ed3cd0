import { describe, expect, it } from '@jest/globals';
import { deleteSite } from '../../../lambdas/domain/pages/removal/delete-site.ts';
import { purgeSite } from '../../../lambdas/domain/pages/removal/purge-site.ts';
import type { Key, Table } from '../../../lambdas/domain/ports/table.ts';
import { createOrganisation } from '../../../lambdas/domain/sites/access/organisation.ts';
import { createSite, updateSite } from '../../../lambdas/domain/sites/manage-sites.ts';
import { readSite, settingsKey, stateKey } from '../../../lambdas/domain/sites/site.ts';
import { newId } from '../../../lambdas/runtime/system.ts';
import { queue, table } from '../../support/memory/stores.ts';

describe('reading a site', () => {
  const clock = () => 1_800_000_000_500;
  let keys: readonly Key[] = [];
  const counting: Table = {
    ...table,
    getMany: (wanted) => {
      keys = [...keys, ...wanted];
      return table.getMany(wanted);
    },
  };

  async function newSite() {
    const caller = { orgId: newId(), plan: 'enterprise', keyId: newId(), role: 'owner' } as const;
    await createOrganisation({ ...caller, name: 'Test' }, { table, clock });
    const site = { name: 'Weather', baseUrl: 'https://weather.example' };
    const { settings } = await createSite(site, caller, { table, clock, newId });
    return { caller, siteId: settings.siteId };
  }
  async function read(siteId: string) {
    keys = [];
    return readSite(siteId, counting);
  }

  it('reads one small item once the settings are known', async () => {
    const { siteId } = await newSite();
    await read(siteId);
    expect(keys).toEqual([stateKey(siteId), settingsKey(siteId)]);
    expect((await read(siteId))?.settings.name).toBe('Weather');
    expect(keys).toEqual([stateKey(siteId)]);
  });

  it('sees a change of the settings, a purge and a delete at once', async () => {
    const { siteId, caller } = await newSite();
    await read(siteId);
    await updateSite(siteId, { publicAccess: { enabled: true } }, caller, { table });
    expect((await read(siteId))?.settings.publicAccess.enabled).toBe(true);
    expect(keys).toEqual([stateKey(siteId), settingsKey(siteId)]);
    await purgeSite(siteId, caller, { table, queue, clock });
    expect((await read(siteId))?.state.generation).toBe(2);
    await deleteSite(siteId, caller, { table, queue, clock });
    expect(await read(siteId)).toBeUndefined();
  });
});
