import type { CDPSession } from 'puppeteer-core';

/** The longest wait for an answer. Longer requests are streams and long polls, which never end. */
const MAX_WAIT_MS = 5_000;
const AWAITED = new Set(['Script', 'Stylesheet', 'XHR', 'Fetch']);
const MAX_REQUESTS = 1_000;
const MAX_BYTES = 50 * 1024 * 1024;

/** Watches the requests of a page. */
export class PageTraffic {
  /** Rejects when the page makes more requests, or loads more bytes, than a page may. */
  readonly exceeded: Promise<never>;
  readonly #startedAt = new Map<string, number>();
  #requests = 0;
  #bytes = 0;

  constructor(session: CDPSession) {
    const { promise, reject } = Promise.withResolvers<never>();
    this.exceeded = promise;
    promise.catch(() => undefined);
    const judge = () => {
      if (this.#requests > MAX_REQUESTS)
        reject(new PageTooLargeError(`the page sends more than ${MAX_REQUESTS} requests`));
      if (this.#bytes > MAX_BYTES) reject(new PageTooLargeError(`the page loads more than ${MAX_BYTES} bytes`));
    };
    session.on('Network.requestWillBeSent', ({ requestId, loaderId, type = '' }) => {
      this.#requests++;
      // A request without a loader is the script of a worker, whose end is not reported here.
      if (AWAITED.has(type) && loaderId !== '') this.#startedAt.set(requestId, performance.now());
      judge();
    });
    session.on('Network.dataReceived', ({ dataLength }) => {
      this.#bytes += dataLength;
      judge();
    });
    session.on('Network.loadingFinished', ({ requestId }) => this.#startedAt.delete(requestId));
    session.on('Network.loadingFailed', ({ requestId }) => this.#startedAt.delete(requestId));
  }

  /** Whether the page waits for an answer that may still change it. */
  get isAwaited(): boolean {
    const oldest = performance.now() - MAX_WAIT_MS;
    return [...this.#startedAt.values()].some((at) => at > oldest);
  }
}

export class PageTooLargeError extends Error {
  override readonly name = 'TooLargeError';
}
