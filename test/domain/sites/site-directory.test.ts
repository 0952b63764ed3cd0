import { describe, expect, it } from '@jest/globals';
import { deleteSite } from '../../../lambdas/domain/pages/removal/delete-site.ts';
import { createOrganisation } from '../../../lambdas/domain/sites/access/organisation.ts';
import { createSite } from '../../../lambdas/domain/sites/manage-sites.ts';
import { nextSite } from '../../../lambdas/domain/sites/site-directory.ts';
import { newId } from '../../../lambdas/runtime/system.ts';
import { queue, table } from '../../support/memory/stores.ts';

describe('The list of all sites', () => {
  it('has the sites of every organisation, the newest last, without deleted ones', async () => {
    const clock = Date.now;
    const siteIds: string[] = [];
    for (const orgId of [newId(), newId()]) {
      const caller = { orgId, plan: 'pro' } as const;
      await createOrganisation({ orgId, name: 'Test', plan: 'pro' }, { table, clock });
      for (const name of ['One', 'Two']) {
        const site = await createSite({ name, baseUrl: 'https://www.example/' }, caller, { table, clock, newId });
        siteIds.push(site.settings.siteId);
      }
      const gone = siteIds.pop() ?? '';
      await deleteSite(gone, { ...caller, role: 'owner', keyId: 'key' }, { table, queue, clock });
    }
    const listed: string[] = [];
    for (let id = await nextSite(undefined, table); id !== undefined; id = await nextSite(id, table)) listed.push(id);
    expect(listed).toEqual(siteIds);
  });
});
