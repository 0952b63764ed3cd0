import type { Agent } from 'node:http';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** Shorter than the idle time after which servers close a connection. */
const MAX_IDLE_MS = 15_000;

/**
 * Keeps connections open, but closes those that were idle for too long before it sends the next request: while a
 * function was frozen, the server may have closed them unnoticed. `retryingClient` limits the time to connect.
 */
export class FreshConnectionHandler extends NodeHttpHandler {
  readonly #maxIdleMs: number;
  #lastUsed = performance.now();

  constructor(maxIdleMs = MAX_IDLE_MS) {
    super();
    this.#maxIdleMs = maxIdleMs;
  }

  override async handle(...request: Parameters<NodeHttpHandler['handle']>): ReturnType<NodeHttpHandler['handle']> {
    if (performance.now() - this.#lastUsed >= this.#maxIdleMs) this.#closeIdleConnections();
    this.#lastUsed = performance.now();
    try {
      return await super.handle(...request);
    } finally {
      this.#lastUsed = performance.now();
    }
  }

  #closeIdleConnections(): void {
    const { httpAgent, httpsAgent } = this.httpHandlerConfigs() as { httpAgent?: Agent; httpsAgent?: Agent };
    const idle = [httpAgent, httpsAgent].flatMap((agent) => Object.values(agent?.freeSockets ?? {}).flat());
    for (const socket of idle) socket?.destroy();
  }
}
