import { parentPort, workerData } from 'node:worker_threads';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { attachEngine, closeEngine } from '../../lambdas/adapters/local/engine.ts';
import { pageReader } from '../../lambdas/adapters/local/page-reader.ts';
import { reviveJobs } from '../../lambdas/core/crawl/job/recovery.ts';
import { log } from '../../lambdas/runtime/log.ts';
import { clock, halt, requestHalt } from '../../lambdas/runtime/system.ts';
import { consume } from './consume.ts';

/*
 * The workers run in a thread of their own, so that embedding and writing never delay an HTTP answer; pages are read in yet another.
 * `halt` as a message makes them hand over what they have and end.
 */

attachEngine(workerData.engine);
pageReader.open();
const [
  { handler: crawlSlice },
  { handler: crawlDead },
  { handler: embedPages },
  { handler: cleanUpSite },
  { handler: moveIndex },
  { handler: watchdog },
] = await Promise.all([
  import('../../lambdas/workers/crawl-slice.ts'),
  import('../../lambdas/workers/crawl-dead.ts'),
  import('../../lambdas/workers/embed-pages.ts'),
  import('../../lambdas/workers/clean-up-site.ts'),
  import('../../lambdas/workers/move-index.ts'),
  import('../../lambdas/workers/watchdog.ts'),
]);

/** Sites that are crawled at once: enough that a few which hang do not hold up the others. */
const CRAWLS = 10;
const WATCHDOG_MS = 60_000;

parentPort?.once('message', requestHalt);
/** What it could not do it does in the next round. */
const watch = () => watchdog().catch((error: unknown) => log('error', 'the watchdog failed', { error }));
const rounds = setInterval(() => void watch(), WATCHDOG_MS);
await reviveJobs({ table, queue, clock, trustLeases: false });

const crawls = Array.from({ length: CRAWLS }, () => consume('crawl', crawlSlice, halt));
await Promise.all([
  ...crawls,
  consume('crawl-dead', crawlDead, halt),
  consume('embed-pages', embedPages, halt),
  consume('clean-up', cleanUpSite, halt),
  consume('move-index', moveIndex, halt),
]);
clearInterval(rounds);
await Promise.all([pageReader.close(), closeEngine()]);
parentPort?.close();
