import { runSlice } from '../domain/crawl/run-slice.ts';
import { queues } from '../messages.ts';
import { crawlDeps } from '../runtime/crawl-deps.ts';
import { worker } from '../runtime/worker.ts';

export const handler = worker(queues.crawl, (slice) => runSlice(slice, crawlDeps));
