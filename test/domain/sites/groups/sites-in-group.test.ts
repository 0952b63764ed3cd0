import { describe, expect, it } from '@jest/globals';
import { deleteSite } from '../../../../lambdas/domain/pages/removal/delete-site.ts';
import { purgeSite } from '../../../../lambdas/domain/pages/removal/purge-site.ts';
import type { Table } from '../../../../lambdas/domain/ports/table.ts';
import { createOrganisation } from '../../../../lambdas/domain/sites/access/organisation.ts';
import { sitesInGroup } from '../../../../lambdas/domain/sites/groups/sites-in-group.ts';
import { createSite, updateSite } from '../../../../lambdas/domain/sites/manage-sites.ts';
import { newId } from '../../../../lambdas/runtime/system.ts';
import { queue, table } from '../../../support/memory/stores.ts';

describe('reading the sites of a group', () => {
  const clock = () => 1_800_000_000_500;
  let items = 0;
  const counting: Table = {
    ...table,
    getMany: (keys) => {
      items += keys.length;
      return table.getMany(keys);
    },
  };

  async function group(sites: number) {
    const caller = { orgId: newId(), plan: 'enterprise', keyId: newId(), role: 'owner' } as const;
    await createOrganisation({ ...caller, name: 'Test' }, { table, clock });
    const siteIds: string[] = [];
    for (let n = 0; n < sites; n++) {
      const site = { name: `Site ${n}`, baseUrl: 'https://docs.example' };
      siteIds.push((await createSite(site, caller, { table, clock, newId })).settings.siteId);
    }
    return { caller, siteIds, orgId: caller.orgId };
  }
  async function read(of: { readonly siteIds: readonly string[]; readonly orgId: string }) {
    items = 0;
    const sites = await sitesInGroup(of, counting);
    return { names: sites.map(({ settings }) => settings.name), sites, items };
  }

  it('reads the settings of a site once, and its state each time', async () => {
    const three = await group(3);
    expect(await read(three)).toMatchObject({ names: ['Site 0', 'Site 1', 'Site 2'], items: 6 });
    expect(await read(three)).toMatchObject({ names: ['Site 0', 'Site 1', 'Site 2'], items: 3 });
  });

  it('sees changed settings, a purge and a delete at once', async () => {
    const { caller, ...three } = await group(3);
    const [first = '', second = '', third = ''] = three.siteIds;
    await read(three);
    await updateSite(first, { name: 'Renamed' }, caller, { table });
    await purgeSite(second, caller, { table, queue, clock });
    await deleteSite(third, caller, { table, queue, clock });
    const { names, sites, items } = await read(three);
    expect(names).toEqual(['Renamed', 'Site 1']);
    expect(sites[1]?.state.generation).toBe(2);
    expect(items).toBe(4);
  });

  it('leaves out a site of another organisation', async () => {
    const [own, other] = [await group(1), await group(1)];
    const { names } = await read({ orgId: own.orgId, siteIds: [...own.siteIds, ...other.siteIds] });
    expect(names).toEqual(['Site 0']);
  });
});
