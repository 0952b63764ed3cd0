import { Worker } from 'node:worker_threads';
import type { StoreHost } from '../../lambdas/adapters/local/engine/store-host.ts';
import { UnavailableError } from '../../lambdas/core/errors.ts';
import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { log } from '../../lambdas/runtime/log.ts';
import { failure } from '../../lambdas/runtime/responses.ts';

type Waiting = { readonly event: ApiEvent; readonly answer: (response: ApiResponse) => void };

/** Runs endpoints that read and embed whole pages in a thread of their own, so that they do not delay the answers of others. */
export class BusyThread {
  readonly #connect: StoreHost['connect'];
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #calls = 0;

  constructor({ connect }: Pick<StoreHost, 'connect'>) {
    this.#connect = connect;
  }

  /** Answers as the endpoint's handler does; 503 if its thread breaks off. The thread begins with the first call. */
  run(name: string, event: ApiEvent): Promise<ApiResponse> {
    const call = ++this.#calls;
    const answered = new Promise<ApiResponse>((answer) => this.#waiting.set(call, { event, answer }));
    this.#thread ??= this.#start();
    this.#thread.postMessage({ call, name, event });
    return answered;
  }

  async stop(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const port = this.#connect();
    const thread = new Worker(new URL('./ingest-worker-thread.ts', import.meta.url), {
      name: 'busy endpoints',
      workerData: { engine: port },
      transferList: [port],
    });
    thread.on('message', ({ call, response }: { readonly call: number; readonly response: ApiResponse }) => {
      this.#waiting.get(call)?.answer(response);
      this.#waiting.delete(call);
    });
    thread.on('error', (error) => log('error', 'a busy endpoint broke off', { error }));
    thread.once('exit', () => {
      this.#thread = undefined;
      for (const { event, answer } of this.#waiting.values())
        answer(failure(new UnavailableError('the thread of busy endpoints broke off'), event));
      this.#waiting.clear();
    });
    return thread;
  }
}
