import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { log } from '../../lambdas/runtime/log.ts';
import { releaseInFlight } from '../sqlite/queue.ts';
import type { MainStore } from './open-store.ts';

/** What the thread tells: the job of a crawl that it turns to. */
export type WorkerNews = { readonly crawl: string };

/** The thread ends when it has worked and then had nothing to do for this time: most of its memory goes back. */
const REST_MS = 30_000;
const RESTART_PAUSE_MS = 1000;
/** The workers may release their messages this long. Then the thread is terminated, and the next start redelivers. */
const HALT_MS = 4500;

/**
 * Runs the workers' thread. If it ends because it rests, another starts at once; if it dies, after a second. `onCrawl`
 * is called whenever it turns to a job. A page that crashes it is identified by fetching it alone.
 */
export async function startWorkers(
  store: MainStore,
  onCrawl: (jobId: string) => void = () => {},
  restMs = REST_MS,
): Promise<{ stop(): Promise<void> }> {
  let stopping = false;
  let thread: Worker | undefined;
  let ended = Promise.resolve();
  const start = async () => {
    await releaseInFlight();
    if (stopping) return;
    const { data, transfer } = store.connect();
    thread = new Worker(new URL('./workers-thread.ts', import.meta.url), {
      name: 'workers',
      workerData: { store: data, startedAt: Date.now(), restMs },
      transferList: [...transfer],
    });
    thread.on('message', ({ crawl }: WorkerNews) => onCrawl(crawl));
    thread.on('error', (error) => log('error', 'the workers died', { error }));
    const exit = Promise.withResolvers<void>();
    ended = exit.promise;
    thread.once('exit', (code) => {
      exit.resolve();
      void restart(code === 0 ? 0 : RESTART_PAUSE_MS);
    });
  };
  /** The store may still be unavailable: retries, so that this does not end the service. */
  const restart = async (pauseMs: number): Promise<void> => {
    for (let pause = pauseMs; !stopping; pause = RESTART_PAUSE_MS) {
      await delay(pause);
      try {
        return await start();
      } catch (error) {
        log('error', 'the workers cannot start', { error });
      }
    }
  };
  await start();
  return {
    async stop() {
      stopping = true;
      thread?.postMessage('halt');
      const late = delay(HALT_MS, 'late', { ref: false });
      if ((await Promise.race([ended, late])) === 'late') log('warn', 'the workers did not end in time');
      await thread?.terminate();
    },
  };
}
