import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Agent, type buildConnector } from 'undici';

type Options = Omit<Agent.Options, 'connect'> & { readonly connect: buildConnector.connector };

/** Holds the connections that undici keeps open. All of them can be replaced at once. */
export class KeptConnections {
  readonly #options: Options;
  /** Retired agents that still have a request. */
  readonly #retired = new Set<Agent>();
  agent: Agent;

  constructor(options: Options) {
    this.#options = { ...options, connect: watchedConnector(options.connect) };
    this.agent = new Agent(this.#options);
  }

  /** Replaces an agent after one of its connections has died, since others may have died too. Its requests go on. */
  retire(agent: Agent): void {
    if (this.agent !== agent || agent.destroyed) return;
    this.agent = new Agent(this.#options);
    this.#retired.add(agent);
    void agent.close().finally(() => this.#retired.delete(agent));
  }

  async destroy(): Promise<void> {
    await Promise.all([this.agent, ...this.#retired].map((agent) => agent.destroy()));
  }
}

/** The bytes that a connection had received when its latest request was sent. 0 before the first request. */
const receivedBefore = new WeakMap<Socket, number>();
const deathsWhileKept = new WeakSet<object>();

subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { readonly socket: Socket };
  receivedBefore.set(socket, socket.bytesRead);
});

function watchedConnector(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...opened) => {
      const [, socket] = opened;
      socket?.once('error', (error) => {
        const received = receivedBefore.get(socket) ?? 0;
        if (received > 0 && received === socket.bytesRead) deathsWhileKept.add(error);
      });
      callback(...opened);
    });
}

/** Tells whether a request failed because its reused connection died before any byte of the answer came. */
export const diedWhileKept = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && deathsWhileKept.has(error);
