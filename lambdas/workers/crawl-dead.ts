import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { failDeadSlice } from '../core/crawl/slice.ts';
import { queues } from '../messages.ts';
import { worker } from '../runtime/worker.ts';
import { clock } from '../runtime/world.ts';

export const handler = worker(queues['crawl-dead'], (slice) => failDeadSlice(slice, { table, queue, clock }));
