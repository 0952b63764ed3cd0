import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { cancelCrawl } from '../domain/crawl/jobs/end-crawl.ts';
import { jobView } from '../domain/crawl/jobs/job-view.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(crawl['cancel-job'], async ({ params, caller }) =>
  jobView(await cancelCrawl(params.jobId, caller, { table, queue, clock })),
);
