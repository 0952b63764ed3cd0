import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import type { Caller } from '../../lambdas/core/access/api-key.ts';
import { hasEnded, ownJob } from '../../lambdas/core/crawl/job/job.ts';
import { startCrawl } from '../../lambdas/core/crawl/job/start-crawl.ts';
import { AppError } from '../../lambdas/core/errors.ts';
import { deleteSite } from '../../lambdas/core/removal/delete-site.ts';
import { createSite, updateSite } from '../../lambdas/core/sites/manage-sites.ts';
import { type SiteRecord, sitesOf } from '../../lambdas/core/sites/site.ts';
import { clock, newId, sleep } from '../../lambdas/runtime/system.ts';

/** The site of the project's own documentation, made at the first start and crawled at each: what is unchanged costs nothing. */
export async function demoSite(caller: Caller, host: string): Promise<string> {
  const baseUrl = `http://${host}/demo/`;
  const demos = (await sitesOf(caller.orgId, table)).filter(({ settings }) => settings.privateHost !== undefined);
  const present = demos.find(({ settings }) => settings.baseUrl === baseUrl);
  for (const { settings } of demos) {
    // Of an earlier start on another port: its addresses lead nowhere now.
    if (settings !== present?.settings) await deleteSite(settings.siteId, caller, { table, queue, clock });
  }
  const { siteId } = (present ?? (await createDemo(caller, baseUrl, host))).settings;
  await crawl(siteId, caller);
  return siteId;
}

const ENOUGH_MS = 5000;

/** Waits for the end of the crawl, so that the first search finds something; not for long, for it goes on anyway. */
async function crawl(siteId: string, caller: Caller): Promise<void> {
  try {
    const jobId = await startCrawl({ siteId, overrides: {} }, caller, { table, queue, clock, newId });
    const end = clock() + ENOUGH_MS;
    while (clock() < end && !hasEnded(await ownJob(jobId, caller.orgId, table))) await sleep(50);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'crawl_running')) throw error;
  }
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
