import type { Agent } from 'node:http';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** Below the time after which the other side may close a connection that nothing was sent on. */
const LONGEST_IDLE_MS = 15_000;

/**
 * Sends requests on connections that stay open, but on none that nothing was sent on for so long. A function may have been frozen for
 * minutes: its connections are then of no use, and it cannot know. How long one may take to open is left to the limit of `asker`.
 */
export class WakingHandler extends NodeHttpHandler {
  readonly #longestIdleMs: number;
  #lastUsed = performance.now();

  constructor(longestIdleMs = LONGEST_IDLE_MS) {
    super();
    this.#longestIdleMs = longestIdleMs;
  }

  override async handle(...request: Parameters<NodeHttpHandler['handle']>): ReturnType<NodeHttpHandler['handle']> {
    if (performance.now() - this.#lastUsed >= this.#longestIdleMs) this.#closeFree();
    this.#lastUsed = performance.now();
    try {
      return await super.handle(...request);
    } finally {
      this.#lastUsed = performance.now();
    }
  }

  #closeFree(): void {
    const { httpAgent, httpsAgent } = this.httpHandlerConfigs() as { httpAgent?: Agent; httpsAgent?: Agent };
    const free = [httpAgent, httpsAgent].flatMap((agent) => Object.values(agent?.freeSockets ?? {}).flat());
    for (const socket of free) socket?.destroy();
  }
}
