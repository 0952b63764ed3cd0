import { Worker } from 'node:worker_threads';
import type { PageContent } from '../../core/content/page-content.ts';
import type { FetchedPage, PageReader } from '../../core/ports/page-reader.ts';

/** Ten times what the largest pages take on a slow machine. */
const LONGEST_READ_MS = 30_000;
/** Twice what they need. */
const MOST_MEMORY_MB = 1024;

/** What the thread says: once that it has begun, then of each page in turn what it holds or why it cannot be read. */
export type Told = 'begun' | { readonly content: PageContent | undefined } | { readonly fault: string };

type Waiting = {
  readonly page: FetchedPage;
  readonly resolve: (content: PageContent | undefined) => void;
  readonly reject: (error: Error) => void;
};

/**
 * Reads pages in a thread of its own, one after the other, until it is closed. One that takes too long, or that the thread dies of,
 * costs no other page: the thread is begun anew and reads the others.
 */
export class ReadingThread implements PageReader {
  readonly #script: URL;
  readonly #longestMs: number;
  /** In the order in which they are read, the first one at this moment. */
  readonly #waiting: Waiting[] = [];
  #thread: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(script = new URL('./reading-thread.ts', import.meta.url), longestMs = LONGEST_READ_MS) {
    this.#script = script;
    this.#longestMs = longestMs;
  }

  /** Begins before the first page is there. */
  open(): void {
    this.#thread ??= this.#begin();
  }

  read(page: FetchedPage): Promise<PageContent | undefined> {
    this.open();
    const { promise, resolve, reject } = Promise.withResolvers<PageContent | undefined>();
    this.#waiting.push({ page, resolve, reject });
    this.#thread?.postMessage(page);
    if (this.#waiting.length === 1) this.#startTimer();
    return promise;
  }

  /** Nothing that was given is read any more. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    clearTimeout(this.#timer);
    await thread?.terminate();
  }

  #begin(): Worker {
    const thread = new Worker(this.#script, {
      name: 'reading',
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    });
    let hasBegun = false;
    let death = new Error('Its reader died of it');
    thread.on('message', (told: Told) => {
      if (told === 'begun') hasBegun = true;
      else if (this.#thread === thread) this.#settle(told);
    });
    thread.on('error', (error: Error) => {
      if (!hasBegun) throw error; // no page's fault: this thread cannot do its work either
      death = error;
    });
    thread.once('exit', () => this.#giveUp(thread, death));
    return thread;
  }

  #settle(told: Exclude<Told, 'begun'>): void {
    const first = this.#waiting.shift();
    if ('fault' in told) first?.reject(new Error(told.fault));
    else first?.resolve(told.content);
    this.#startTimer();
  }

  /** The page that was being read is to blame. */
  #giveUp(thread: Worker, reason: Error): void {
    if (this.#thread !== thread) return;
    this.#waiting.shift()?.reject(reason);
    this.#thread = this.#begin();
    for (const { page } of this.#waiting) this.#thread.postMessage(page);
    this.#startTimer();
    void thread.terminate();
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    if (thread === undefined || this.#waiting.length === 0) return;
    const tooLate = () => this.#giveUp(thread, new Error(`It takes longer than ${this.#longestMs} ms to read`));
    this.#timer = setTimeout(tooLate, this.#longestMs);
  }
}

export const pageReader = new ReadingThread();
