import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Agent, type buildConnector } from 'undici';

type Options = Omit<Agent.Options, 'connect'> & { readonly connect: buildConnector.connector };

/** The connections that undici keeps open, all of which can be replaced by new ones. */
export class KeptConnections {
  readonly #options: Options;
  /** Agents that were retired and still have a request. */
  readonly #retired = new Set<Agent>();
  agent: Agent;

  constructor(options: Options) {
    this.#options = { ...options, connect: watchedConnector(options.connect) };
    this.agent = new Agent(this.#options);
  }

  /** No later request uses a connection of this agent: where one has died, others may have too. Its requests go on. */
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

/** Bytes that a connection had received when its latest request was sent: none before its first one. */
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

/** Whether a request failed as its connection, kept from an earlier one, died before any byte of the answer came. */
export const diedWhileKept = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && deathsWhileKept.has(error);
