import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { hasEnded, ownJob } from '../../lambdas/domain/crawl/jobs/job.ts';
import { startCrawl } from '../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { AppError } from '../../lambdas/domain/errors.ts';
import { deleteSite } from '../../lambdas/domain/pages/removal/delete-site.ts';
import type { Caller } from '../../lambdas/domain/sites/access/api-key.ts';
import { createSite, updateSite } from '../../lambdas/domain/sites/manage-sites.ts';
import { type SiteRecord, sitesOf } from '../../lambdas/domain/sites/site.ts';
import { clock, newId, sleep } from '../../lambdas/runtime/system.ts';
import type { DemoSite } from './http-server.ts';

const NAME = 'Site search docs (demo)';
/** The limit of pages. The documentation has fewer, so that a first look at the product shows a complete crawl. */
const MAX_PAGES = 1000;
const MAX_WAIT_MS = 5000;

/** Creates the demo site of the project's documentation at the first start. Crawls it at every start. */
export async function createDemoSite(caller: Caller, host: string): Promise<DemoSite> {
  const baseUrl = `http://${host}/demo/`;
  const demos = (await sitesOf(caller.orgId, table)).filter(({ settings }) => settings.privateHost !== undefined);
  const current = demos.find(({ settings }) => settings.baseUrl === baseUrl);
  for (const { settings } of demos) {
    // The site was created by a start on another port: its URLs no longer work.
    if (settings !== current?.settings) await deleteSite(settings.siteId, caller, { table, queue, clock });
  }
  const { siteId, publicAccess } = (current ?? (await createSiteRecord(caller, baseUrl, host))).settings;
  // A demo that an earlier version made.
  if (publicAccess.mcpEnabled === undefined)
    await updateSite(siteId, { publicAccess: { mcpEnabled: true } }, caller, { table });
  await crawl(siteId, caller);
  return { siteId, name: NAME };
}

async function crawl(siteId: string, caller: Caller): Promise<void> {
  try {
    const { jobId } = await startCrawl({ siteId, overrides: {} }, caller, { table, queue, clock, newId });
    const end = clock() + MAX_WAIT_MS;
    while (clock() < end && !hasEnded(await ownJob(jobId, caller.orgId, table))) await sleep(50);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'crawl_running')) throw error;
  }
}

async function createSiteRecord(caller: Caller, baseUrl: string, privateHost: string): Promise<SiteRecord> {
  const crawlerConfig = { maxPages: MAX_PAGES };
  const site = await createSite({ name: NAME, baseUrl, privateHost, crawlerConfig }, caller, { table, clock, newId });
  const publicAccess = { enabled: true, allowedDomains: ['*'], mcpEnabled: true };
  return updateSite(site.settings.siteId, { publicAccess }, caller, { table });
}
