import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { startCrawl } from '../domain/crawl/jobs/start-crawl.ts';
import { shownWarnings } from '../domain/sites/settings-warnings.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock, newId } from '../runtime/system.ts';

export const handler = endpoint(crawl['start-crawl'], async ({ params, body, caller }) => {
  const { dryRun = false, ...overrides } = body ?? {};
  const start = { siteId: params.siteId, overrides, dryRun };
  const { jobId, warnings } = await startCrawl(start, caller, { table, queue, clock, newId });
  return {
    success: true,
    jobId,
    message: dryRun ? 'The dry run was started' : 'The crawl was started',
    ...shownWarnings(warnings),
  };
});
