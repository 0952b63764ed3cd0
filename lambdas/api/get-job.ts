import { tableReader } from '#adapters/table';
import { ownJob } from '../domain/crawl/jobs/job.ts';
import { jobView } from '../domain/crawl/jobs/job-view.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(crawl['get-job'], async ({ params, caller }) =>
  jobView(await ownJob(params.jobId, caller.orgId, tableReader)),
);
