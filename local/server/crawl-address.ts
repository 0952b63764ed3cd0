import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { startCrawl } from '../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { AppError } from '../../lambdas/domain/errors.ts';
import type { Caller } from '../../lambdas/domain/sites/access/api-key.ts';
import { createSite } from '../../lambdas/domain/sites/manage-sites.ts';
import { ownSite, sitesOf } from '../../lambdas/domain/sites/site.ts';
import { sites } from '../../lambdas/routes/sites.ts';
import { clock, newId } from '../../lambdas/runtime/system.ts';

/** Starts a crawl of the site with this address, which is created if there is none. Returns the path of its screen. */
export async function crawlAddress(address: string, caller: Caller): Promise<string> {
  const given = await sites['create-site'].body.safeParseAsync({ name: new URL(address).host, baseUrl: address });
  if (!given.success) {
    const [reason] = given.error.issues.map(({ message }) => message);
    throw new Error(`${address} cannot be crawled: ${reason}`);
  }
  const { href } = new URL(given.data.baseUrl);
  const known = (await sitesOf(caller.orgId, table)).find(({ settings }) => settings.baseUrl === href);
  const { siteId } = (known ?? (await createSite(given.data, caller, { table, clock, newId }))).settings;
  return `/app/sites/${siteId}/crawl/${await startedOrRunning(siteId, caller)}`;
}

async function startedOrRunning(siteId: string, caller: Caller): Promise<string> {
  try {
    return (await startCrawl({ siteId, overrides: {} }, caller, { table, queue, clock, newId })).jobId;
  } catch (error) {
    const isRunning = error instanceof AppError && error.code === 'crawl_running';
    const jobId = isRunning && (await ownSite(siteId, caller.orgId, table)).state.runningJobId;
    if (!jobId) throw error;
    return jobId;
  }
}
