import { parentPort, type TransferListItem, Worker } from 'node:worker_threads';
import { UnavailableError } from '../../core/errors.ts';

type Numbered<Name extends string, T> = { readonly id: number } & { readonly [Key in Name]: T };

export type ThreadOptions = {
  /** Shown by tools of the operating system. */
  readonly name: string;
  readonly script: URL;
  /** What it is given at each start. `transfer` is a part of it. */
  readonly data: () => { readonly data: unknown; readonly transfer?: readonly TransferListItem[] };
  readonly onError: (error: unknown) => void;
  /** Ends the thread after this time without a request. @default never */
  readonly idleMs?: number;
};

/**
 * A thread that answers requests. It starts with the first one. If it dies, the requests that wait fail, and the next
 * one starts it again.
 */
export class AnsweringThread<Request, Answer> {
  readonly #options: ThreadOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  #thread: Worker | undefined;
  #lastId = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Rejects with an `UnavailableError` if the thread ends before it answers. */
  request(request: Request): Promise<Answer> {
    clearTimeout(this.#timer);
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting.set(id, waiting);
    this.#thread ??= this.#start();
    this.#thread.postMessage({ id, request } satisfies Numbered<'request', Request>);
    return waiting.promise;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const { name, script, onError } = this.#options;
    const { data, transfer = [] } = this.#options.data();
    const thread = new Worker(script, { name, workerData: data, transferList: [...transfer] });
    thread.unref();
    thread.on('message', ({ id, answer }: Numbered<'answer', Answer>) => {
      this.#waiting.get(id)?.resolve(answer);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#endWhenIdle();
    });
    thread.on('error', onError);
    thread.once('exit', () => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      for (const { reject } of this.#waiting.values())
        reject(new UnavailableError(`The ${name} thread ended before it answered`));
      this.#waiting.clear();
    });
    return thread;
  }

  #endWhenIdle(): void {
    const { idleMs } = this.#options;
    if (idleMs === undefined) return;
    this.#timer = setTimeout(() => {
      const thread = this.#thread;
      this.#thread = undefined;
      void thread?.terminate();
    }, idleMs).unref();
  }
}

/** In the thread: answers each request. An error ends the thread. */
export function answerRequests<Request, Answer>(
  answerTo: (request: Request) => Answer | Promise<Answer>,
  transferOf: (answer: Answer) => readonly TransferListItem[] = () => [],
): void {
  parentPort?.on('message', async ({ id, request }: Numbered<'request', Request>) => {
    const answer = await answerTo(request);
    parentPort?.postMessage({ id, answer } satisfies Numbered<'answer', Answer>, transferOf(answer));
  });
}
