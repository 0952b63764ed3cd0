import { answer, type groupCommit } from './group-commit.ts';
import type { Call, News, Reply } from './protocol.ts';
import { isRead, type Stores } from './stores.ts';

/** How long reads, or the writes of one transaction, keep the other kind waiting; one call may take longer. */
const TURN_MS = 8;

/** A thread that calls. */
export type Client = { readonly postMessage: (news: News) => void };

type Waiting = { readonly client: Client; readonly call: Call };

export type Engine = {
  readonly stores: Stores;
  readonly commit: ReturnType<typeof groupCommit>;
  /** The queues that were rung since it was last emptied. */
  readonly rung: Set<string>;
};

/**
 * Answers the calls of all clients. Reads pass the writes of other clients, so that a search does not wait for a crawl; a
 * client's own writes they never pass. Of what else waits, each client's first comes before any client's second.
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

  /** What it has called is still done. */
  disconnect(client: Client): void {
    this.#clients.delete(client);
  }

  /** Answers by news to the client. */
  take(client: Client, call: Call): void {
    this.#waiting.push({ client, call });
    this.#schedule();
  }

  /** Answers what only reads on the spot, if its client waits for nothing else; all else by news. */
  takeOwn(client: Client, call: Call): Reply | undefined {
    if (isRead(call) && this.#waiting.every((waiting) => waiting.client !== client))
      return answer(this.#engine.stores, call);
    this.take(client, call);
    return undefined;
  }

  /** Answers all that waits. */
  finish(): void {
    while (this.#waiting.length > 0) this.#takeTurns();
  }

  /** After the messages that have arrived, so that one transaction has them all. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#takeTurns();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  #takeTurns(): void {
    const { stores, commit } = this.#engine;
    const { ready, behind } = inOrder(this.#waiting.filter(({ call }) => call.giveUpAt > Date.now()));
    const read = answered(
      stores,
      ready.map(({ call }) => call),
    );
    this.#send(ready, read);
    const written =
      behind.length > 0
        ? commit(
            behind.map(({ call }) => call),
            TURN_MS,
          )
        : [];
    this.#send(behind, written);
    this.#waiting = [...ready.slice(read.length), ...behind.slice(written.length)];
  }

  /** The replies go by the places of the first of those that waited. */
  #send(waiting: readonly Waiting[], replies: readonly Reply[]): void {
    const byClient = Map.groupBy(replies.entries(), ([place]) => waiting[place]?.client);
    const rung = [...this.#engine.rung];
    this.#engine.rung.clear();
    for (const client of this.#clients) {
      const mine = byClient.get(client)?.map(([, reply]) => reply) ?? [];
      if (mine.length > 0 || rung.length > 0) client.postMessage({ replies: mine, rung });
    }
  }
}

/** The reads that no write of their own client precedes, and all else. */
function inOrder(waiting: readonly Waiting[]): {
  readonly ready: readonly Waiting[];
  readonly behind: readonly Waiting[];
} {
  const ready: Waiting[] = [];
  const lines = new Map<Client, Waiting[]>();
  for (const one of waiting) {
    const line = lines.get(one.client);
    if (line !== undefined) line.push(one);
    else if (isRead(one.call)) ready.push(one);
    else lines.set(one.client, [one]);
  }
  const longest = Math.max(0, ...[...lines.values()].map((line) => line.length));
  const rows = Array.from({ length: longest }, (_, place) => [...lines.values()].flatMap((line) => line[place] ?? []));
  return { ready, behind: rows.flat() };
}

function answered(stores: Stores, calls: readonly Call[]): readonly Reply[] {
  const end = performance.now() + TURN_MS;
  const replies: Reply[] = [];
  for (const call of calls) {
    replies.push(answer(stores, call));
    if (performance.now() > end) break;
  }
  return replies;
}
