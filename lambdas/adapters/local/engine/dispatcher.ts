import { answer, type groupCommit } from './group-commit.ts';
import { type Call, type EngineMessage, monotonicMs, type Reply } from './protocol.ts';
import { isImmediate, isRead, type Stores } from './stores.ts';

/** How long one turn of reads, or one write transaction, delays the other. A single call may take longer. */
const TURN_MS = 8;

export type Client = { readonly postMessage: (message: EngineMessage) => void };

type Waiting = { readonly client: Client; readonly call: Call };

export type Engine = {
  readonly stores: Stores;
  readonly commit: ReturnType<typeof groupCommit>;
  /** The queues notified since the dispatcher last emptied the set. */
  readonly notified: Set<string>;
};

/**
 * Answers the calls of all clients. Reads overtake the writes of other clients, so that a search does not wait for a
 * crawl, but never those of their own client. The other calls are done in turns: each client's first before any
 * client's second.
 */
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

  /** Queues a call, unless it is immediate. The reply goes to the client as a message. */
  enqueue(client: Client, call: Call): void {
    if (isImmediate(call)) {
      client.postMessage({ replies: [answer(this.#engine.stores, call)], notified: [] });
      return;
    }
    this.#waiting.push({ client, call });
    this.#schedule();
  }

  /** Returns the reply to an immediate call, and to a read if its client has no call waiting; queues any other call. */
  answerOrEnqueue(client: Client, call: Call): Reply | undefined {
    if (isImmediate(call) || (isRead(call) && this.#waiting.every((waiting) => waiting.client !== client)))
      return answer(this.#engine.stores, call);
    this.enqueue(client, call);
    return undefined;
  }

  finish(): void {
    while (this.#waiting.length > 0) this.#takeTurn();
  }

  /** After the messages that have already arrived, so that one transaction has them all. */
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
    const { stores, commit } = this.#engine;
    const { reads, others } = inOrder(this.#waiting.filter(({ call }) => call.deadline > monotonicMs()));
    const readReplies = answerReads(stores, callsOf(reads));
    this.#send(reads, readReplies);
    const otherReplies = others.length > 0 ? commit(callsOf(others), TURN_MS) : [];
    this.#send(others, otherReplies);
    this.#waiting = [...reads.slice(readReplies.length), ...others.slice(otherReplies.length)];
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

const callsOf = (waiting: readonly Waiting[]): readonly Call[] => waiting.map(({ call }) => call);

/** `reads`: the reads that no write of their own client precedes. `others`: all other calls, round-robin by client. */
function inOrder(waiting: readonly Waiting[]): {
  readonly reads: readonly Waiting[];
  readonly others: readonly Waiting[];
} {
  const reads: Waiting[] = [];
  const byClient = new Map<Client, Waiting[]>();
  for (const one of waiting) {
    const ownCalls = byClient.get(one.client);
    if (ownCalls !== undefined) ownCalls.push(one);
    else if (isRead(one.call)) reads.push(one);
    else byClient.set(one.client, [one]);
  }
  const lists = [...byClient.values()];
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const rounds = Array.from({ length: longest }, (_, round) => lists.flatMap((list) => list[round] ?? []));
  return { reads, others: rounds.flat() };
}

function answerReads(stores: Stores, calls: readonly Call[]): readonly Reply[] {
  const end = performance.now() + TURN_MS;
  const replies: Reply[] = [];
  for (const call of calls) {
    replies.push(answer(stores, call));
    if (performance.now() > end) break;
  }
  return replies;
}
