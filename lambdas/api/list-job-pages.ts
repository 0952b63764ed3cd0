import { tableReader } from '#adapters/table';
import { ownJob } from '../domain/crawl/jobs/job.ts';
import { jobPages, jobPageView } from '../domain/crawl/jobs/job-pages.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { pageInfo } from '../runtime/responses.ts';

export const handler = endpoint(crawl['list-job-pages'], async ({ params, query, caller }) => {
  const page = await jobPages(await ownJob(params.jobId, caller.orgId, tableReader), query, tableReader);
  return { pages: page.items.map(jobPageView), ...pageInfo(page) };
});
