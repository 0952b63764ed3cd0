import { tableReader } from '#adapters/table';
import { ownJob } from '../domain/crawl/jobs/job.ts';
import { jobView } from '../domain/crawl/jobs/job-view.ts';
import { NotFoundError } from '../domain/errors.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(crawl['get-job'], async ({ params: { jobId, siteId }, caller }) => {
  const job = await ownJob(jobId, caller.orgId, tableReader);
  if (siteId !== undefined && siteId !== job.siteId) throw new NotFoundError('Job');
  return jobView(job);
});
