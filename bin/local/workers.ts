import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { StoreHost } from '../../lambdas/adapters/local/engine.ts';
import { releaseInFlight } from '../../lambdas/adapters/local/queue.ts';
import { log } from '../../lambdas/runtime/log.ts';

/** What the thread tells: the job of a crawl that it turns to. */
export type WorkerNews = { readonly crawl: string };

const RESTART_PAUSE_MS = 1000;
/** The workers may release their messages this long. Then the thread is terminated, and the next start redelivers. */
const HALT_MS = 4500;

/**
 * Runs the workers' thread, and restarts it if it dies. `onCrawl` is called whenever it turns to a job. A page that
 * crashes it is identified by fetching it alone.
 */
export async function startWorkers(
  engine: StoreHost,
  onCrawl: (jobId: string) => void = () => {},
): Promise<{ stop(): Promise<void> }> {
  let stopping = false;
  let thread: Worker;
  const start = async () => {
    await releaseInFlight();
    const { data, transfer } = engine.connect();
    thread = new Worker(new URL('./workers-thread.ts', import.meta.url), {
      name: 'workers',
      workerData: { engine: data, startedAt: Date.now() },
      transferList: [...transfer],
    });
    thread.on('message', ({ crawl }: WorkerNews) => onCrawl(crawl));
    thread.on('error', (error) => log('error', 'the workers died', { error }));
    thread.once('exit', () => void restart());
  };
  /** The store may still be unavailable: retries, so that this does not end the service. */
  const restart = async (): Promise<void> => {
    while (!stopping) {
      await delay(RESTART_PAUSE_MS);
      try {
        return stopping ? undefined : await start();
      } catch (error) {
        log('error', 'the workers cannot start', { error });
      }
    }
  };
  await start();
  return {
    async stop() {
      stopping = true;
      const exited = once(thread, 'exit');
      thread.postMessage('halt');
      const late = delay(HALT_MS, 'late', { ref: false });
      if ((await Promise.race([exited, late])) === 'late') log('warn', 'the workers did not end in time');
      await thread.terminate();
    },
  };
}
