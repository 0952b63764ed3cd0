import { WorkerThread } from '../../lambdas/connectors/worker-thread.ts';
import { UnavailableError } from '../../lambdas/domain/errors.ts';
import { tooManyIngests } from '../../lambdas/domain/pages/ingest/too-many-ingests.ts';
import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { SMALL_BODY_BYTES } from '../../lambdas/runtime/body.ts';
import { log } from '../../lambdas/runtime/log.ts';
import { errorAnswer } from '../server/own-errors.ts';
import type { MainStore } from './open-store.ts';

export type IngestCall = { readonly name: string; readonly event: ApiEvent };

/** Large requests in the thread at once. More would only make each of them slower. */
const AT_ONCE = 2;
/** The thread ends when it had no request for this time. */
const IDLE_MS = 60_000;
/** A large request that waits longer for its turn is refused before it begins. */
const LONGEST_WAIT_MS = 8_000;

/** Runs endpoints that read and embed whole pages in a separate thread, so that they do not delay other requests. */
export class IngestWorker {
  readonly #thread: WorkerThread<IngestCall, ApiResponse>;
  /** Large requests in the thread, and those that wait for their turn. */
  #running = 0;
  readonly #queued = new Set<(mayRun: boolean) => void>();
  #isStopped = false;

  constructor({ connect }: Pick<MainStore, 'connect'>) {
    this.#thread = new WorkerThread({
      name: 'ingest',
      script: new URL('./ingest-worker-thread.ts', import.meta.url),
      data: connect,
      onError: (error) => log('error', 'the ingest thread died', { error }),
      idleMs: IDLE_MS,
    });
  }

  /** Resolves to the handler's response, or to 503 if the thread dies or is busy for long. */
  async run(name: string, event: ApiEvent): Promise<ApiResponse> {
    if (!isLarge(event)) return this.#call(name, event);
    if (!(await this.#turn())) return errorAnswer(tooManyIngests(), event);
    try {
      return await this.#call(name, event);
    } finally {
      this.#endTurn();
    }
  }

  /** False if others took too long. */
  #turn(): Promise<boolean> {
    if (this.#running < AT_ONCE) {
      this.#running++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const answer = (mayRun: boolean) => {
        clearTimeout(timer);
        this.#queued.delete(answer);
        resolve(mayRun);
      };
      const timer = setTimeout(answer, LONGEST_WAIT_MS, false);
      this.#queued.add(answer);
    });
  }

  #endTurn(): void {
    const [next] = this.#queued;
    if (next) next(true);
    else this.#running--;
  }

  async #call(name: string, event: ApiEvent): Promise<ApiResponse> {
    if (this.#isStopped) return errorAnswer(new UnavailableError('The ingest worker has stopped'), event);
    return this.#thread.request({ name, event }).catch((error) => errorAnswer(error, event));
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    for (const answer of this.#queued) answer(false);
    return this.#thread.stop();
  }
}

/** The body is in base64. */
const isLarge = ({ body }: ApiEvent): boolean => (body?.length ?? 0) * 0.75 > SMALL_BODY_BYTES;
