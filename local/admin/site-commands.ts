import { readFile } from 'node:fs/promises';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { hasEnded, MAX_WORK_MS, ownJob } from '../../lambdas/domain/crawl/jobs/job.ts';
import { jobView } from '../../lambdas/domain/crawl/jobs/job-view.ts';
import { startCrawl } from '../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { startRefill } from '../../lambdas/domain/pages/start-refill.ts';
import { readOrganisation } from '../../lambdas/domain/sites/access/organisation.ts';
import { updateSite } from '../../lambdas/domain/sites/manage-sites.ts';
import { shownWarnings } from '../../lambdas/domain/sites/settings-warnings.ts';
import { readSite, type SiteRecord } from '../../lambdas/domain/sites/site.ts';
import { UpdateSiteRequest } from '../../lambdas/domain/sites/site-changes.ts';
import { siteDetails } from '../../lambdas/domain/sites/site-view.ts';
import { sites } from '../../lambdas/routes/sites.ts';
import { clock, newId, sleep } from '../../lambdas/runtime/system.ts';
import { serverRuns } from '../sqlite/data-lock.ts';

const POLL_MS = 500;

/** Starts a crawl by the running server. With `wait`, fails unless it completes. */
export async function crawlSite(
  siteId: string,
  { wait, data }: { readonly wait: boolean; readonly data: string },
): Promise<object> {
  if (!serverRuns(data)) throw new Error(`No server runs on ${data}: start it with npm start`);
  const caller = await callerOf(await siteOf(siteId));
  const { jobId, warnings } = await startCrawl({ siteId, overrides: {} }, caller, { table, queue, clock, newId });
  if (!wait) return { jobId, ...shownWarnings(warnings) };
  const end = clock() + MAX_WORK_MS;
  while (clock() < end) {
    const job = await ownJob(jobId, caller.orgId, table);
    if (job.status === 'completed') return jobView(job);
    if (hasEnded(job)) throw new Error(`The crawl was not completed (${job.endReason}). ${job.error ?? ''}`.trim());
    await sleep(POLL_MS);
  }
  throw new Error(`The crawl ${jobId} has not ended: see GET /jobs/${jobId}`);
}

/** Returns the settings of a site in the form that an update accepts. */
export async function exportSite(siteId: string): Promise<object> {
  const fields = Object.entries(siteDetails(await siteOf(siteId)));
  return Object.fromEntries(fields.filter(([name]) => name in UpdateSiteRequest.shape));
}

export async function importSite(siteId: string, file: string): Promise<object> {
  const caller = await callerOf(await siteOf(siteId));
  const parsed = await sites['update-site'].body.safeParseAsync(await jsonOf(file));
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`${file} does not have the settings of a site: ${faults.join('; ')}`);
  }
  const { warnings, settings } = await updateSite(siteId, parsed.data, caller, { table });
  if (parsed.data.metadataSchema) await startRefill(siteId, { table, queue });
  return { siteId, name: settings.name, ...shownWarnings(warnings) };
}

async function siteOf(siteId: string): Promise<SiteRecord> {
  const site = await readSite(siteId, table);
  if (!site) throw new Error(`There is no site ${siteId}: check the id, and --data`);
  return site;
}

async function callerOf({ settings: { orgId } }: SiteRecord) {
  const organisation = await readOrganisation(orgId, table);
  if (!organisation) throw new Error(`There is no organisation ${orgId}`);
  return { ...organisation, role: 'owner' as const, keyId: 'admin' };
}

async function jsonOf(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${file} cannot be read as JSON: check its path and content`, { cause });
  }
}
