import { Worker } from 'node:worker_threads';
import type { PageContent } from '../core/content/page-content.ts';
import type { FetchedPage, PageReader, Unreadable } from '../core/ports/page-reader.ts';

/** What a page was read as. */
export type ReadContent = PageContent | Unreadable | undefined;
/** First `started`, then for each page, in order, its content or the reason why it could not be read. */
export type ReaderMessage = 'started' | { readonly content: ReadContent } | { readonly fault: string };

export type PageThreadOptions = {
  /** Shown by tools of the operating system. */
  readonly name: string;
  readonly script: URL;
  /** The longest time for a page. */
  readonly timeoutMs: number;
  /** Megabytes of JavaScript objects. */
  readonly memoryMb: number;
  /** Megabytes by which all memory of the process may grow while a page is read. @default no limit */
  readonly growthMb?: number;
  /** Ends the thread after this time without a page. @default never */
  readonly idleMs?: number;
};

type Waiting = {
  readonly page: FetchedPage;
  readonly resolve: (content: ReadContent) => void;
  readonly reject: (error: Error) => void;
};

/** Often enough to end a thread before its memory ends the process. */
const MEMORY_CHECK_MS = 100;
const MEGABYTE = 1024 * 1024;

/**
 * Reads pages in a separate thread. A page that takes too long or too much memory, or crashes the thread, fails alone.
 */
export class PageThread implements PageReader {
  readonly #options: PageThreadOptions;
  /** In order; the first page is being read. */
  readonly #waiting: Waiting[] = [];
  #thread: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #memoryTimer: NodeJS.Timeout | undefined;

  constructor(options: PageThreadOptions) {
    this.#options = options;
  }

  read(page: FetchedPage): Promise<ReadContent> {
    this.#thread ??= this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<ReadContent>();
    this.#waiting.push({ page, resolve, reject });
    this.#thread.ref();
    this.#thread.postMessage(page);
    if (this.#waiting.length === 1) this.#startTimers();
    return promise;
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    this.#stopTimers();
    await thread?.terminate();
  }

  #start(): Worker {
    const { name, script, memoryMb } = this.#options;
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb };
    const thread = new Worker(script, { name, resourceLimits, stdout: true, stderr: true });
    // What packages print is no line of the log.
    thread.stdout.resume();
    thread.stderr.resume();
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
    this.#startTimers();
  }

  /** Fails the page that was being read, and gives the others to a new thread. */
  #failFirst(thread: Worker, reason: Error): void {
    if (this.#thread !== thread) return;
    this.#waiting.shift()?.reject(reason);
    this.#thread = this.#start();
    for (const { page } of this.#waiting) this.#thread.postMessage(page);
    this.#startTimers();
    void thread.terminate();
  }

  #startTimers(): void {
    this.#stopTimers();
    const thread = this.#thread;
    if (thread === undefined) return;
    const { timeoutMs, growthMb, idleMs } = this.#options;
    if (this.#waiting.length === 0) {
      if (idleMs === undefined) return;
      thread.unref();
      this.#timer = setTimeout(() => void this.close(), idleMs).unref();
      return;
    }
    const fail = (reason: string) => this.#failFirst(thread, new Error(`Reading the page ${reason}`));
    this.#timer = setTimeout(() => fail(`took longer than ${timeoutMs} ms`), timeoutMs);
    if (growthMb === undefined) return;
    const most = process.memoryUsage.rss() + growthMb * MEGABYTE;
    this.#memoryTimer = setInterval(() => {
      if (process.memoryUsage.rss() > most) fail(`took more than ${growthMb} MB of memory`);
    }, MEMORY_CHECK_MS);
  }

  #stopTimers(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#memoryTimer);
  }
}
