import type { Caller } from '../../access/api-key.ts';
import { type Clock, epochSeconds } from '../../clock.ts';
import { AppError, NotFoundError } from '../../errors.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Table } from '../../ports/table.ts';
import { crawlUrls } from '../../sites/crawl-urls.ts';
import { ownSite, settingsKey, stateKey } from '../../sites/site.ts';
import { endJob } from '../finish/job-end.ts';
import { enqueueChanges } from '../frontier/frontier-rows.ts';
import { listItems } from '../frontier/url-list.ts';
import { type CrawlJob, hasEnded, jobKey, jobPointerKey, ownJob, runningKey, UNENDED } from './job.ts';
import { newJob, type Overrides } from './new-job.ts';
import { sendSlice } from './slice.ts';

/** Writes the job, its start page and the site's lock in one write, then sends the first slice. Answers the job's id. */
export async function startCrawl(
  { siteId, overrides }: { readonly siteId: string; readonly overrides: Overrides },
  caller: Pick<Caller, 'orgId' | 'plan'>,
  {
    table,
    queue,
    clock,
    newId,
  }: { readonly table: Table; readonly queue: Queue; readonly clock: Clock; readonly newId: () => string },
): Promise<string> {
  const site = await ownSite(siteId, caller.orgId, table);
  if (site.state.runningJobId !== null) throw running();
  const saved = await crawlUrls(siteId, caller, table);
  const jobId = newId();
  const now = epochSeconds(clock);
  const { job, urls } = newJob(site, { overrides, saved }, caller, { jobId, now });
  const list = listItems(jobId, urls, now);
  await table.putMany(list); // before the job: whoever takes it finds them
  const { generation } = job;
  const siteExists = { check: settingsKey(siteId), when: { exists: true } };
  const refused = await table.write([
    siteExists,
    {
      update: stateKey(siteId),
      set: { runningJobId: jobId },
      when: { exists: true, equals: { runningJobId: null, generation } },
    },
    { put: { ...jobKey(jobId), ...job } },
    { put: { ...jobPointerKey(siteId, jobId), createdAt: now } },
    { put: { ...runningKey(jobId), jobId } },
    ...(job.listedBy ? [] : enqueueChanges(jobId, { url: job.baseUrl, depth: 0, isStart: true })),
  ]);
  if (refused.length > 0) await table.removeMany(list);
  if (refused.includes(siteExists)) throw new NotFoundError('Site');
  if (refused.length > 0) throw running();
  await sendSlice({ siteId, jobId, slice: 0 }, queue);
  return jobId;
}

const running = (): AppError =>
  new AppError('crawl_running', 'A crawl of this site is running: wait for its end or cancel it');

/** Ends a job for good and frees its site; one that has ended is answered as it is. */
export async function cancelCrawl(
  jobId: string,
  { orgId }: Pick<Caller, 'orgId'>,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<CrawlJob> {
  const job = await ownJob(jobId, orgId, table);
  if (!hasEnded(job)) {
    await endJob(
      job,
      { status: 'cancelled', endReason: 'cancelled' },
      { equals: { status: UNENDED } },
      { table, clock },
    );
  }
  return ownJob(jobId, orgId, table);
}
