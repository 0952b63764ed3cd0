import { Worker } from 'node:worker_threads';
import type { StoreHost } from '../../lambdas/adapters/local/engine/store-host.ts';
import { UnavailableError } from '../../lambdas/core/errors.ts';
import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { log } from '../../lambdas/runtime/log.ts';
import { errorAnswer } from './own-errors.ts';

type Waiting = { readonly event: ApiEvent; readonly resolve: (response: ApiResponse) => void };

/** Runs endpoints that read and embed whole pages in a separate thread, so that they do not delay other requests. */
export class IngestWorker {
  readonly #connect: StoreHost['connect'];
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #lastCall = 0;

  constructor({ connect }: Pick<StoreHost, 'connect'>) {
    this.#connect = connect;
  }

  /** Resolves to the handler's response, or to 503 if the thread dies. The first call starts the thread. */
  run(name: string, event: ApiEvent): Promise<ApiResponse> {
    const call = ++this.#lastCall;
    const response = new Promise<ApiResponse>((resolve) => this.#waiting.set(call, { event, resolve }));
    this.#thread ??= this.#start();
    this.#thread.postMessage({ call, name, event });
    return response;
  }

  async stop(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const attachment = this.#connect();
    const thread = new Worker(new URL('./ingest-worker-thread.ts', import.meta.url), {
      name: 'ingest worker',
      workerData: { engine: attachment },
      transferList: [attachment.port],
    });
    thread.on('message', ({ call, response }: { readonly call: number; readonly response: ApiResponse }) => {
      this.#waiting.get(call)?.resolve(response);
      this.#waiting.delete(call);
    });
    thread.on('error', (error) => log('error', 'the ingest worker died', { error }));
    thread.once('exit', () => {
      this.#thread = undefined;
      for (const { event, resolve } of this.#waiting.values())
        void errorAnswer(new UnavailableError('The ingest worker ended before it answered'), event).then(resolve);
      this.#waiting.clear();
    });
    return thread;
  }
}
