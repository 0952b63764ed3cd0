import { AnsweringThread } from '../../lambdas/adapters/local/answering-thread.ts';
import type { StoreHost } from '../../lambdas/adapters/local/engine/store-host.ts';
import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { log } from '../../lambdas/runtime/log.ts';
import { errorAnswer } from './own-errors.ts';

export type IngestCall = { readonly name: string; readonly event: ApiEvent };

/** Runs endpoints that read and embed whole pages in a separate thread, so that they do not delay other requests. */
export class IngestWorker {
  readonly #thread: AnsweringThread<IngestCall, ApiResponse>;

  constructor({ connect }: Pick<StoreHost, 'connect'>) {
    this.#thread = new AnsweringThread({
      name: 'ingest',
      script: new URL('./ingest-worker-thread.ts', import.meta.url),
      data: () => {
        const data = connect();
        return { data, transfer: [data.port] };
      },
      onError: (error) => log('error', 'the ingest thread died', { error }),
    });
  }

  /** Resolves to the handler's response, or to 503 if the thread dies. */
  run(name: string, event: ApiEvent): Promise<ApiResponse> {
    return this.#thread.request({ name, event }).catch((error) => errorAnswer(error, event));
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
