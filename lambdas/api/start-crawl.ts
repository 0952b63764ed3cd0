import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { startCrawl } from '../core/crawl/job/start-crawl.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock, newId } from '../runtime/system.ts';

export const handler = endpoint(crawl['start-crawl'], async ({ params, body, caller }) => ({
  success: true,
  jobId: await startCrawl({ siteId: params.siteId, overrides: body ?? {} }, caller, { table, queue, clock, newId }),
  message: 'The crawl was started',
}));
