import { describe, expect, it } from '@jest/globals';
import { NotFoundError, UnavailableError } from '../../../../lambdas/domain/errors.ts';
import { deleteSite } from '../../../../lambdas/domain/pages/removal/delete-site.ts';
import { stateKey } from '../../../../lambdas/domain/sites/site.ts';
import { IngestSite } from '../../../support/ingest-site.ts';
import { queue, table } from '../../../support/memory/stores.ts';

describe('deleting a site', () => {
  it('fails, and removes nothing, while crawls keep starting and ending', async () => {
    const site = await IngestSite.open();
    const caller = { orgId: site.orgId, keyId: '', role: 'owner', plan: 'pro' } as const;
    let jobs = 0;
    const restless: typeof table = {
      ...table,
      async write(changes) {
        await table.update(stateKey(site.siteId), { set: { runningJobId: `job-${jobs++}` } });
        return table.write(changes);
      },
    };
    const remove = (over: typeof table) => deleteSite(site.siteId, caller, { table: over, queue, clock: Date.now });
    await expect(remove(restless)).rejects.toThrow(UnavailableError);
    await remove(table);
    await expect(remove(table)).rejects.toThrow(NotFoundError);
  });
});
