import type { Clock } from '../../clock.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Condition, Table } from '../../ports/table.ts';
import { announceCleanUp } from '../../sites/clean-up-message.ts';
import { announceEvents } from '../../webhooks/send-webhook-work.ts';
import type { CrawlJob } from './job.ts';
import { endJob, type JobEnd } from './job-end.ts';

/** Ends a job (`endJob`), and asks workers to send the event of it and to remove what it has left unused. */
export async function endCrawl(
  job: CrawlJob,
  end: JobEnd,
  when: Condition,
  { queue, ...deps }: { readonly table: Table; readonly queue: Queue; readonly clock: Clock },
): Promise<void> {
  if (!(await endJob(job, end, when, deps))) return;
  await announceEvents(job.siteId, queue);
  await announceCleanUp(job.siteId, queue);
}
