import { describe, expect, it } from '@jest/globals';
import { AppError, NotFoundError } from '../../../lambdas/domain/errors.ts';
import { createOrganisation } from '../../../lambdas/domain/sites/access/organisation.ts';
import { QUOTAS } from '../../../lambdas/domain/sites/access/plan.ts';
import { createSite, updateSite } from '../../../lambdas/domain/sites/manage-sites.ts';
import { ownSite, readSite, type SiteSettings, sitesOf } from '../../../lambdas/domain/sites/site.ts';
import { newId } from '../../../lambdas/runtime/system.ts';
import { memoryTable } from '../../support/memory/table.ts';

const table = memoryTable();

describe('managing sites', () => {
  const clock = () => 1_800_000_000_500;
  const deps = { table, clock, newId };

  async function organisation(plan: 'free' | 'pro' = 'pro') {
    const orgId = newId();
    await createOrganisation({ orgId, name: 'Test', plan }, { table, clock });
    return { orgId, plan, keyId: newId(), role: 'owner' } as const;
  }
  const create = (caller: Awaited<ReturnType<typeof organisation>>, baseUrl = 'https://docs.example') =>
    createSite({ name: 'Docs', baseUrl }, caller, deps);

  it('stores the base URL as browsers write it, and the creation time in seconds', async () => {
    const { settings, state } = await create(await organisation(), 'HTTPS://Bücher.Example:443/a/../b');
    expect(settings).toMatchObject({
      baseUrl: 'https://xn--bcher-kva.example/b',
      createdAt: 1_800_000_000,
      version: 1,
    });
    expect(state).toEqual({ runningJobId: null, settingsVersion: 1, pageCount: 0, revision: 0, generation: 1 });
    const { pk, sk, ...stored } = { pk: '', sk: '', ...(await readSite(settings.siteId, table))?.settings };
    expect(stored).toEqual(settings);
  });

  it('keeps to the plan’s number of sites, also with concurrent requests', async () => {
    const caller = await organisation('pro');
    const made = await Promise.allSettled(Array.from({ length: QUOTAS.pro.sites + 5 }, () => create(caller)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(QUOTAS.pro.sites);
    expect(await sitesOf(caller.orgId, table)).toHaveLength(QUOTAS.pro.sites);
    await expect(create(caller)).rejects.toThrow('10 sites');
    await expect(create({ ...caller, plan: 'free' })).rejects.toThrow(AppError);
  });

  it('creates no site for an unknown organisation', async () => {
    await expect(create({ orgId: newId(), plan: 'pro', keyId: newId(), role: 'owner' })).rejects.toThrow(AppError);
  });

  it('loses none of 30 concurrent changes, and raises the version by one for each', async () => {
    const caller = await organisation();
    const { settings } = await create(caller);
    const labels = Array.from({ length: 30 }, (_, n) => `f${n}`);
    await Promise.all(
      labels.map(async (label, n) => {
        if (n % 2) await updateSite(settings.siteId, { rateLimits: { searchPerMinute: n } }, caller, { table });
        else await updateSite(settings.siteId, { name: label }, caller, { table });
      }),
    );
    const after: SiteSettings | undefined = (await readSite(settings.siteId, table))?.settings;
    expect(after?.version).toBe(31);
    expect(after?.rateLimits.searchPerMinute).toBeDefined();
    expect(labels).toContain(after?.name);
  });

  it('does not change the state with the settings, nor the settings with the state', async () => {
    const caller = await organisation();
    const { settings } = await create(caller);
    const state = { pk: `SITE#${settings.siteId}`, sk: 'STATE' };
    await Promise.all([
      updateSite(settings.siteId, { name: 'New' }, caller, { table }),
      table.update(state, { add: { pageCount: 3 } }),
    ]);
    expect(await ownSite(settings.siteId, caller.orgId, table)).toMatchObject({
      settings: { name: 'New', version: 2 },
      state: { pageCount: 3, generation: 1 },
    });
  });

  it('resets a field to its default with null, or removes it if it has none', async () => {
    const caller = await organisation();
    const { settings } = await create(caller);
    const set = (changes: Parameters<typeof updateSite>[1]) => updateSite(settings.siteId, changes, caller, { table });
    await set({ domain: 'www.example', crawlerConfig: { delayMs: 5, maxPages: 9 }, name: undefined });
    await set({ domain: null, crawlerConfig: { delayMs: null } });
    const after = (await ownSite(settings.siteId, caller.orgId, table)).settings;
    expect(after).not.toHaveProperty('domain');
    expect(after.crawlerConfig).toEqual({ ...settings.crawlerConfig, maxPages: 9 });
    expect(after.name).toBe('Docs');
  });

  it('does not know a site of another organisation', async () => {
    const [ours, theirs] = [await organisation(), await organisation()];
    const { siteId } = (await create(ours)).settings;
    await expect(ownSite(siteId, theirs.orgId, table)).rejects.toThrow(NotFoundError);
    await expect(updateSite(siteId, { name: 'Taken' }, theirs, { table })).rejects.toThrow(NotFoundError);
    expect(await sitesOf(theirs.orgId, table)).toEqual([]);
    expect(await readSite(newId(), table)).toBeUndefined();
  });
});
