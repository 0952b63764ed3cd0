import { parentPort, Worker } from 'node:worker_threads';
import { DeadlyPageError, UnavailableError } from '../domain/errors.ts';

export type ThreadOptions = {
  /** The name that tools of the operating system show. */
  readonly name: string;
  readonly script: URL;
  /** Ends the thread after this time without a request. @default never */
  readonly idleMs?: number;
  readonly perPage: PageLimits;
};

export type PageLimits = {
  /** The limit of time for a page. */
  readonly timeoutMs: number;
  /** The limit of JavaScript objects, in megabytes. */
  readonly memoryMb: number;
  /**
   * The limit by which the memory of the whole process may grow while a page is read, in megabytes. @default no limit
   */
  readonly growthMb?: number;
};

type Waiting<Request, Answer> = {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  /** How often the thread has died while it read this page. */
  deaths: number;
};
type Asked<Request> = { readonly id: number; readonly request: Request };
type Answered<Answer> = { readonly id: number } & ({ readonly answer: Answer } | { readonly fault: string });

/** The interval of memory checks. It is short enough to end a thread before the process runs out of memory. */
const MEMORY_CHECK_MS = 100;
const MEGABYTE = 1024 * 1024;
/** How often the thread may die of a page. A single death may be due to a machine that is short of memory. */
const MAX_DEATHS = 3;

/**
 * Runs a thread that reads one page after another (`serveSequentially`). The thread starts with the first page. If it
 * dies, a new thread reads the same page again, for three deaths at most, and then the waiting pages.
 */
export class WorkerThread<Request, Answer> {
  readonly #options: ThreadOptions;
  /** Requests by id, in order. */
  readonly #waiting = new Map<number, Waiting<Request, Answer>>();
  #thread: Worker | undefined;
  #hasStarted = false;
  #lastId = 0;
  #timer: NodeJS.Timeout | undefined;
  #memoryTimer: NodeJS.Timeout | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /**
   * Reads a page. Rejects if the page failed: with a `DeadlyPageError` if the thread died of it three times, with an
   * `UnavailableError` if the thread was stopped.
   */
  request(request: Request): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const id = ++this.#lastId;
    this.#waiting.set(id, { request, resolve, reject, deaths: 0 });
    this.#thread ??= this.#start();
    this.#post(id, request);
    if (this.#waiting.size === 1) this.#startTimers();
    return promise;
  }

  /** Stops the thread. The waiting pages fail. */
  async stop(): Promise<void> {
    const thread = this.#thread;
    if (thread) this.#fail(thread, new UnavailableError(`The ${this.#options.name} thread was stopped`), Infinity);
    await thread?.terminate();
  }

  #post(id: number, request: Request): void {
    this.#thread?.postMessage({ id, request } satisfies Asked<Request>);
  }

  #start(): Worker {
    const { name, script, perPage } = this.#options;
    // Packages that read pages print messages, which do not belong into the log.
    const thread = new Worker(script, {
      name,
      resourceLimits: { maxOldGenerationSizeMb: perPage.memoryMb },
      stdout: true,
      stderr: true,
    });
    for (const output of [thread.stdout, thread.stderr]) output.resume();
    this.#hasStarted = false;
    let reason = 'The page crashed its reader';
    thread.on('message', (message: 'started' | Answered<Answer>) => {
      if (this.#thread !== thread) return;
      if (message === 'started') this.#hasStarted = true;
      else this.#settle(message);
      this.#startTimers();
    });
    thread.on('error', (error: Error) => {
      if (!this.#hasStarted) throw error; // not caused by a page, so a new thread would fail too
      reason = error.message;
    });
    thread.once('exit', () => this.#died(thread, reason));
    return thread;
  }

  #died(thread: Worker, reason: string): void {
    const [first] = this.#waiting.values();
    if (first && this.#thread === thread) first.deaths++;
    this.#fail(thread, new DeadlyPageError(reason), (first?.deaths ?? 0) < MAX_DEATHS ? 0 : 1);
  }

  #settle(message: Answered<Answer>): void {
    const request = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ('fault' in message) request?.reject(new Error(message.fault));
    else request?.resolve(message.answer);
  }

  /** Ends the thread, fails the first requests, and gives the others to a new thread. */
  #fail(thread: Worker, reason: Error, requests = 1): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#stopTimers();
    void thread.terminate();
    for (const [id, { reject }] of [...this.#waiting].slice(0, requests)) {
      this.#waiting.delete(id);
      reject(reason);
    }
    if (this.#waiting.size === 0) return;
    this.#thread = this.#start();
    for (const [id, { request }] of this.#waiting) this.#post(id, request);
    this.#startTimers();
  }

  #startTimers(): void {
    this.#stopTimers();
    const thread = this.#thread;
    if (thread === undefined) return;
    const { idleMs, perPage } = this.#options;
    if (this.#waiting.size === 0) {
      thread.unref();
      if (idleMs !== undefined) this.#timer = setTimeout(() => void this.stop(), idleMs).unref();
      return;
    }
    thread.ref();
    // The time starts when the thread has started: a slow start on a busy machine is not the page's fault.
    if (!this.#hasStarted) return;
    const { timeoutMs, growthMb } = perPage;
    const fail = (reason: string) => this.#fail(thread, new Error(`Reading the page ${reason}`));
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

/** Answers one request after another, in the thread. An error fails only its request. */
export function serveSequentially<Request, Answer>(answerTo: (request: Request) => Answer | Promise<Answer>): void {
  const post = (message: Answered<Answer>): void => parentPort?.postMessage(message);
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', ({ id, request }: Asked<Request>) => {
    last = last
      .then(() => answerTo(request))
      .then(
        (answer) => post({ id, answer }),
        (error: unknown) => post({ id, fault: String(error) }),
      );
  });
  parentPort?.postMessage('started');
}
