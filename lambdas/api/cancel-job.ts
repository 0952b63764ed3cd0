import { table } from '#adapters/table';
import { jobView } from '../core/crawl/job/job-view.ts';
import { cancelCrawl } from '../core/crawl/job/start-crawl.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(crawl['cancel-job'], async ({ params, caller }) =>
  jobView(await cancelCrawl(params.jobId, caller, { table, clock })),
);
