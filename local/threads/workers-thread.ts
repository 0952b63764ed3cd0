import { getPriority, setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { pageIndex } from '#adapters/page-index';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { embedder } from '../../lambdas/connectors/embedder/configured.ts';
import { reviveJobs } from '../../lambdas/domain/crawl/jobs/recover-jobs.ts';
import { finishWrites } from '../../lambdas/domain/pages/finish-writes.ts';
import { cleanUpUnswept } from '../../lambdas/domain/pages/removal/clean-up.ts';
import { queues } from '../../lambdas/messages.ts';
import type { ApiEvent } from '../../lambdas/runtime/api-event.ts';
import { log } from '../../lambdas/runtime/log.ts';
import { clock, halt, requestHalt } from '../../lambdas/runtime/system.ts';
import type { WorkerHandler } from '../../lambdas/runtime/worker.ts';
import { handler as expireEvents } from '../../lambdas/workers/expire-events.ts';
import { handler as watchdog } from '../../lambdas/workers/watchdog.ts';
import { isDamaged } from '../sqlite/check-file.ts';
import { damagedFile } from '../sqlite/store-error.ts';
import { timetable } from '../sqlite/timetable.ts';
import { answerCalls, answerOf } from './calls.ts';
import { consume } from './consume.ts';
import { CONTEXT, handlerOf } from './endpoint-handler.ts';
import { mergeSegmentsRepeatedly, rewriteSegments } from './merge-segments.ts';
import { attachStore, closeStore } from './open-store.ts';
import { pageReader } from './page-reader.ts';
import type { WorkerNews } from './workers.ts';

/*
 * The thread of all workers. It is separate, so that embedding and writing do not delay HTTP responses. Any message
 * stops it.
 */

// Lowers the priority, so that searches do not wait for a crawl. Only Linux has priorities of threads. Page readers
// inherit it.
if (process.platform === 'linux') setPriority(Math.max(10, getPriority()));
attachStore(workerData.store);
/** The number of sites crawled at once. A few slow sites must not delay the others. */
const CRAWLS = 50;
/** The number of sites crawled with a browser at once. Each crawl has a separate browser. */
const RENDERED_CRAWLS = 2;
/** The number of webhooks delivered at once. */
const DELIVERIES = 4;
const WATCHDOG_MS = 60_000;
const EXPIRY_MS = 3_600_000;
/** The interval of the timetable, which is the longest delay of a scheduled start. */
const TIMETABLE_MS = 10_000;

parentPort?.once('message', requestHalt);
const { fileToCheck } = workerData;
if (fileToCheck && isDamaged(fileToCheck))
  log('error', 'the data file is damaged', { error: damagedFile(fileToCheck) });
const calls: MessagePort = workerData.calls;
const endpoints = { run: async (name: string, event: ApiEvent) => (await handlerOf(name))(event, CONTEXT) };
answerCalls(calls, async (call) => answerOf({ endpoints }, call));
/** Runs the watchdog. A failure is logged, and the next run tries again. */
const watch = () => watchdog().catch((error: unknown) => log('error', 'the watchdog failed', { error }));
const sendDue = () => timetable.sendDue().catch((error: unknown) => log('error', 'the timetable failed', { error }));
const expire = () => expireEvents().catch((error: unknown) => log('error', 'old events are not removed', { error }));
const intervals = [
  setInterval(() => void watch(), WATCHDOG_MS),
  setInterval(() => void sendDue(), TIMETABLE_MS),
  setInterval(() => void expire(), EXPIRY_MS),
];
void expire();
await reviveJobs({ table, queue, clock, trustLeases: false });
const report = (message: string, error: unknown): void => log('warn', message, { error });
const inBackground = (work: Promise<void>, failure: string): void =>
  void work.catch((error: unknown) => halt.aborted || report(failure, error));
// Completes what an earlier process has begun.
inBackground(
  finishWrites(workerData.startedAt, { table, pageStore, pageIndex, embedder, clock, report }),
  'pages that an earlier process has written in part could not be finished',
);
inBackground(cleanUpUnswept({ table, queue }), 'unused texts may be left of an earlier process');

/** Returns the handler of a worker. It is loaded with its first message: most installations never use some workers. */
const worker =
  (name: string): WorkerHandler =>
  async (event) =>
    (await import(`../../lambdas/workers/${name}.ts`)).handler(event);

/** Tells the main thread which crawl is being worked on, for the terminal. */
const told =
  (slice: WorkerHandler): WorkerHandler =>
  (event) => {
    for (const { body } of event.Records) {
      const { data } = queues.crawl.message.safeParse(JSON.parse(body));
      if (data) parentPort?.postMessage({ crawl: data.jobId } satisfies WorkerNews);
    }
    return slice(event);
  };

const crawls = told(worker('crawl-slice'));
const rendered = told(worker('render-slice'));
const webhooks = worker('deliver-webhooks');
const segmentsFailed = (error: unknown): void => log('error', 'segments are not merged', { error });
await Promise.all([
  mergeSegmentsRepeatedly(halt, segmentsFailed),
  consume('crawl', crawls, halt, CRAWLS),
  consume('render', rendered, halt, RENDERED_CRAWLS),
  consume('crawl-dead', worker('crawl-dead'), halt),
  consume('embed-pages', worker('embed-pages'), halt),
  consume('clean-up', worker('clean-up-site'), halt),
  consume('move-index', worker('move-index'), halt),
  consume('refill-pages', worker('refill-pages'), halt),
  consume('enrich-pages', worker('enrich-pages'), halt),
  consume('starts', worker('start-scheduled'), halt),
  consume('site-health', worker('check-health'), halt),
  consume('webhooks', webhooks, halt, DELIVERIES),
]);
for (const interval of intervals) clearInterval(interval);
await rewriteSegments().catch(segmentsFailed);
await Promise.all([pageReader.close(), closeStore()]);
calls.close();
parentPort?.close();
