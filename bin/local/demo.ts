import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import type { Caller } from '../../lambdas/core/access/api-key.ts';
import { startCrawl } from '../../lambdas/core/crawl/start-crawl.ts';
import { AppError } from '../../lambdas/core/errors.ts';
import { createSite, updateSite } from '../../lambdas/core/sites/manage-sites.ts';
import { type SiteRecord, settingsKey, sitesOf } from '../../lambdas/core/sites/site.ts';
import { clock, newId } from '../../lambdas/runtime/world.ts';

/** The site of the project's own documentation, made at the first start and crawled at each: what is unchanged costs nothing. */
export async function demoSite(caller: Caller, host: string): Promise<string> {
  const baseUrl = `http://${host}/demo/`;
  const existing = (await sitesOf(caller.orgId, table)).find(({ settings }) => settings.privateHost !== undefined);
  const site = existing ?? (await createDemo(caller, baseUrl, host));
  const { siteId } = site.settings;
  if (site.settings.baseUrl !== baseUrl) await moveTo(siteId, baseUrl, host);
  try {
    await startCrawl({ siteId, overrides: {} }, caller, { table, queue, clock, newId });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'crawl_running')) throw error;
  }
  return siteId;
}

async function createDemo(caller: Caller, baseUrl: string, privateHost: string): Promise<SiteRecord> {
  const site = await createSite({ name: 'Site search docs (demo)', baseUrl, privateHost }, caller, {
    table,
    clock,
    newId,
  });
  await updateSite(site.settings.siteId, { publicAccess: { enabled: true, allowedDomains: ['*'] } }, caller, { table });
  return site;
}

/** The port may be another one than last time. */
async function moveTo(siteId: string, baseUrl: string, privateHost: string): Promise<void> {
  await table.update(settingsKey(siteId), {
    set: { baseUrl, privateHost },
    add: { version: 1 },
    when: { exists: true },
  });
}
