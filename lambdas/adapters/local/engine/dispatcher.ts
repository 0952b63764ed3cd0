import { type Call, type EngineMessage, monotonicMs, type Reply } from './calls.ts';
import { answer, type groupCommit } from './group-commit.ts';
import { isWrite, type Stores } from './stores.ts';

/** How long one transaction delays what this thread has to do. A single call may take longer. */
const TURN_MS = 8;

export type Client = { readonly postMessage: (message: EngineMessage) => void };

type Waiting = { readonly client: Client; readonly call: Call };

export type Engine = {
  readonly stores: Stores;
  readonly commit: ReturnType<typeof groupCommit>;
  /** The queues notified since the dispatcher last emptied the set. */
  readonly notified: Set<string>;
};

/** Does the writes of all clients in turns: each client's first before any client's second. */
export class Dispatcher {
  readonly #engine: Engine;
  readonly #clients = new Set<Client>();
  #waiting: Waiting[] = [];
  #isScheduled = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  connect(client: Client): void {
    this.#clients.add(client);
  }

  /** The calls that the client has made are still done. */
  disconnect(client: Client): void {
    this.#clients.delete(client);
  }

  /** Returns the reply to a call that writes nothing. The reply to a write goes to the client as a message. */
  dispatch(client: Client, call: Call): Reply | undefined {
    if (!isWrite(call)) return answer(this.#engine.stores, call);
    this.#waiting.push({ client, call });
    this.#schedule();
    return undefined;
  }

  finish(): void {
    while (this.#waiting.length > 0) this.#takeTurn();
  }

  /** Runs after the messages that have already arrived, so that one transaction has them all. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#takeTurn();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  #takeTurn(): void {
    const waiting = inTurns(this.#waiting.filter(({ call }) => call.deadline > monotonicMs()));
    const calls = waiting.map(({ call }) => call);
    const replies = calls.length > 0 ? this.#engine.commit(calls, TURN_MS) : [];
    this.#waiting = waiting.slice(replies.length);
    this.#send(waiting, replies);
  }

  /** `replies[i]` answers `waiting[i]`; there may be fewer replies. */
  #send(waiting: readonly Waiting[], replies: readonly Reply[]): void {
    const byClient = Map.groupBy(replies.entries(), ([i]) => waiting[i]?.client);
    const notified = [...this.#engine.notified];
    this.#engine.notified.clear();
    for (const client of this.#clients) {
      const own = byClient.get(client)?.map(([, reply]) => reply) ?? [];
      if (own.length > 0 || notified.length > 0) client.postMessage({ replies: own, notified });
    }
  }
}

function inTurns(waiting: readonly Waiting[]): readonly Waiting[] {
  const lists = [...Map.groupBy(waiting, ({ client }) => client).values()];
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) => lists.flatMap((list) => list[round] ?? [])).flat();
}
