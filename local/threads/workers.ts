import { setTimeout as delay } from 'node:timers/promises';
import { MessageChannel, Worker } from 'node:worker_threads';
import { UnavailableError } from '../../lambdas/domain/errors.ts';
import { env } from '../../lambdas/env.ts';
import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { log } from '../../lambdas/runtime/log.ts';
import { releaseInFlight } from '../sqlite/queue.ts';
import { fileFailure, sqliteCode, storeError } from '../sqlite/store-error.ts';
import { type Calls, callsThrough, ThreadCaller } from './calls.ts';
import type { MainStore } from './open-store.ts';

/** A message from the workers' thread: the job of the crawl that it starts to work on. */
export type WorkerNews = { readonly crawl: string };

/** Methods that the workers' thread runs for other threads. */
export type WorkerCalls = { readonly endpoints: { run(name: string, event: ApiEvent): ApiResponse } };

const RESTART_PAUSE_MS = 1000;
/**
 * The time that the workers have to release their messages and rewrite segments. Then the thread is terminated, and the
 * next start redelivers the messages.
 */
const HALT_MS = 7500;
/** The limit of time for an endpoint, as behind the gateway in AWS. */
const ENDPOINT_MS = 29_000;

export type Workers = {
  start(): Promise<void>;
  /** Runs an endpoint in the workers' thread. Rejects with an `UnavailableError` if the thread dies first. */
  run(name: string, event: ApiEvent): Promise<ApiResponse>;
  stop(): Promise<void>;
};

type WorkersOptions = {
  /** Called whenever the workers start to work on a job. */
  readonly onCrawl?: (jobId: string) => void;
  /** The file that the first thread checks for damage, which takes seconds. */
  readonly fileToCheck?: string | undefined;
};

/**
 * Manages the workers' thread. If the thread dies, another starts after a second. A page that crashes it is identified
 * by fetching it alone.
 */
export function workersOf(store: MainStore, { onCrawl = () => {}, fileToCheck }: WorkersOptions = {}): Workers {
  let stopping = false;
  let thread: Worker | undefined;
  let calls: Calls<WorkerCalls> | undefined;
  let ended = Promise.resolve();
  /** The reason why no thread can use the file any more. */
  let damage: Error | undefined;
  const start = async () => {
    await releaseInFlight();
    if (stopping) return;
    const { data, transfer } = store.connect();
    const { port1, port2 } = new MessageChannel();
    calls = callsThrough<WorkerCalls>(new ThreadCaller(port1).call, ENDPOINT_MS);
    thread = new Worker(new URL('./workers-thread.ts', import.meta.url), {
      name: 'workers',
      ...(env.OPENSEARCH_URL !== undefined && { execArgv: ['--conditions=opensearch'] }),
      workerData: { store: data, calls: port2, startedAt: Date.now(), fileToCheck: thread ? undefined : fileToCheck },
      transferList: [...transfer, port2],
    });
    thread.on('message', ({ crawl }: WorkerNews) => onCrawl(crawl));
    thread.on('error', (error) => {
      log('error', 'the workers died', { error });
      if (sqliteCode(error) !== undefined && fileFailure(error) === 'damaged') damage = storeError(error);
    });
    const exit = Promise.withResolvers<void>();
    ended = exit.promise;
    thread.once('exit', () => {
      exit.resolve();
      void restart();
    });
  };
  /** Starts another thread. Repeats until it succeeds, because an unavailable store must not end the service. */
  const restart = async (): Promise<void> => {
    while (!stopping) {
      await delay(RESTART_PAUSE_MS);
      try {
        return await start();
      } catch (error) {
        log('error', 'the workers cannot start', { error });
      }
    }
  };
  return {
    start,
    async run(name, event) {
      if (damage) throw damage;
      if (!calls) throw new UnavailableError('The workers have not started');
      return calls.endpoints.run(name, event);
    },
    async stop() {
      stopping = true;
      thread?.postMessage('halt');
      const late = delay(HALT_MS, 'late', { ref: false });
      if ((await Promise.race([ended, late])) === 'late') log('warn', 'the workers did not end in time');
      await thread?.terminate();
    },
  };
}
