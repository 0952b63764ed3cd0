import type { CDPSession } from 'puppeteer-core';

/** Longer ones are streams and long polls, which never come to an end. */
const LONGEST_WAIT_MS = 5_000;
const AWAITED = new Set(['Script', 'Stylesheet', 'XHR', 'Fetch']);

/** The requests of a page that may still change it. */
export class PendingRequests {
  readonly #startedAt = new Map<string, number>();

  constructor(session: CDPSession) {
    session.on('Network.requestWillBeSent', ({ requestId, type }) => {
      if (AWAITED.has(type ?? '')) this.#startedAt.set(requestId, performance.now());
    });
    session.on('Network.loadingFinished', ({ requestId }) => this.#startedAt.delete(requestId));
    session.on('Network.loadingFailed', ({ requestId }) => this.#startedAt.delete(requestId));
  }

  get areAwaited(): boolean {
    const oldest = performance.now() - LONGEST_WAIT_MS;
    return [...this.#startedAt.values()].some((at) => at > oldest);
  }
}
