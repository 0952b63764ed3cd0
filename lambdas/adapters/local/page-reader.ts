import { Worker } from 'node:worker_threads';
import type { PageContent } from '../../core/content/page-content.ts';
import type { FetchedPage, PageReader } from '../../core/ports/page-reader.ts';

/** Ten times the longest read of a page on a slow machine. */
const READ_TIMEOUT_MS = 30_000;
/** Twice the memory that the largest pages need. */
const MEMORY_LIMIT_MB = 1024;

/** First `started`, then for each page, in order, its content or the reason why it could not be read. */
export type ReaderMessage = 'started' | { readonly content: PageContent | undefined } | { readonly fault: string };

type Waiting = {
  readonly page: FetchedPage;
  readonly resolve: (content: PageContent | undefined) => void;
  readonly reject: (error: Error) => void;
};

/** Reads pages in a separate thread. A page that takes too long or crashes the thread fails alone. */
export class ReadingThread implements PageReader {
  readonly #script: URL;
  readonly #timeoutMs: number;
  /** In order; the first page is being read. */
  readonly #waiting: Waiting[] = [];
  #thread: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(script = new URL('./reading-thread.ts', import.meta.url), timeoutMs = READ_TIMEOUT_MS) {
    this.#script = script;
    this.#timeoutMs = timeoutMs;
  }

  /** Starts the thread before the first page arrives. */
  open(): void {
    this.#thread ??= this.#start();
  }

  read(page: FetchedPage): Promise<PageContent | undefined> {
    this.open();
    const { promise, resolve, reject } = Promise.withResolvers<PageContent | undefined>();
    this.#waiting.push({ page, resolve, reject });
    this.#thread?.postMessage(page);
    if (this.#waiting.length === 1) this.#startTimer();
    return promise;
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    clearTimeout(this.#timer);
    await thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(this.#script, {
      name: 'reading',
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    });
    let hasStarted = false;
    let reason = new Error('The page crashed its reader');
    thread.on('message', (message: ReaderMessage) => {
      if (message === 'started') hasStarted = true;
      else if (this.#thread === thread) this.#settle(message);
    });
    thread.on('error', (error: Error) => {
      if (!hasStarted) throw error; // not caused by a page, so a new thread would fail too
      reason = error;
    });
    thread.once('exit', () => this.#failFirst(thread, reason));
    return thread;
  }

  #settle(message: Exclude<ReaderMessage, 'started'>): void {
    const first = this.#waiting.shift();
    if ('fault' in message) first?.reject(new Error(message.fault));
    else first?.resolve(message.content);
    this.#startTimer();
  }

  /** Fails the page that was being read, and gives the others to a new thread. */
  #failFirst(thread: Worker, reason: Error): void {
    if (this.#thread !== thread) return;
    this.#waiting.shift()?.reject(reason);
    this.#thread = this.#start();
    for (const { page } of this.#waiting) this.#thread.postMessage(page);
    this.#startTimer();
    void thread.terminate();
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    if (thread === undefined || this.#waiting.length === 0) return;
    const onTimeout = () =>
      this.#failFirst(thread, new Error(`Reading the page took longer than ${this.#timeoutMs} ms`));
    this.#timer = setTimeout(onTimeout, this.#timeoutMs);
  }
}

export const pageReader = new ReadingThread();
