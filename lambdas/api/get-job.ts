import { table } from '#adapters/table-reader';
import { ownJob } from '../core/crawl/job/job.ts';
import { jobView } from '../core/crawl/job/job-view.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(crawl['get-job'], async ({ params, caller }) =>
  jobView(await ownJob(params.jobId, caller.orgId, table)),
);
