import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { StoreHost } from '../../lambdas/adapters/local/engine/store-host.ts';
import { releaseInFlight } from '../../lambdas/adapters/local/queue.ts';
import { log } from '../../lambdas/runtime/log.ts';

const RESTART_PAUSE_MS = 1000;
/** Within 5 s all is handed back, or the thread is ended and its messages come again at the next start. */
const HALT_MS = 4500;

/** Runs the workers' thread, anew whenever it dies: a page that kills it is found out by being tried alone. */
export async function startWorkers(engine: StoreHost): Promise<{ stop(): Promise<void> }> {
  let stopping = false;
  let thread: Worker;
  const start = async () => {
    await releaseInFlight();
    const port = engine.connect();
    thread = new Worker(new URL('./workers-thread.ts', import.meta.url), {
      name: 'workers',
      workerData: { engine: port },
      transferList: [port],
    });
    thread.on('error', (error) => log('error', 'the workers broke off', { error }));
    thread.once('exit', () => void restart());
  };
  /** The store may be away then: a thread that died of that must not take the service with it. */
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
