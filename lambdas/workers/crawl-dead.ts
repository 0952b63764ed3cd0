import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { failDeadSlice } from '../domain/crawl/jobs/recover-jobs.ts';
import { queues } from '../messages.ts';
import { clock } from '../runtime/system.ts';
import { worker } from '../runtime/worker.ts';

export const handler = worker(queues['crawl-dead'], (slice) => failDeadSlice(slice, { table, queue, clock }));
