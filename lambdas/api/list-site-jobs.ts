import { tableReader } from '#adapters/table';
import { listJobs } from '../domain/crawl/jobs/job.ts';
import { jobView } from '../domain/crawl/jobs/job-view.ts';
import { ownSite } from '../domain/sites/site.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { pageInfo } from '../runtime/responses.ts';

export const handler = endpoint(crawl['list-site-jobs'], async ({ params, query, caller }) => {
  await ownSite(params.siteId, caller.orgId, tableReader);
  const page = await listJobs(params.siteId, query, tableReader);
  return { jobs: page.items.map(jobView), ...pageInfo(page) };
});
