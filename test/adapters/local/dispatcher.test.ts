import { DatabaseSync } from 'node:sqlite';
import { setImmediate as oneTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Call, type EngineMessage, monotonicMs } from '../../../lambdas/adapters/local/engine/calls.ts';
import { type Client, Dispatcher } from '../../../lambdas/adapters/local/engine/dispatcher.ts';
import { EVENT_SCHEMA } from '../../../lambdas/adapters/local/engine/event-schema.ts';
import { groupCommit } from '../../../lambdas/adapters/local/engine/group-commit.ts';
import { SCHEMA } from '../../../lambdas/adapters/local/engine/schema.ts';
import { CLOCKS, openStores } from '../../../lambdas/adapters/local/engine/stores.ts';

type Sent = { readonly client: string; readonly message: EngineMessage };

/** The messages to all clients, in order. */
let sent: Sent[];
let dispatcher: Dispatcher;
const client = (name: string): Client => ({ postMessage: (message) => sent.push({ client: name, message }) });

beforeEach(() => {
  sent = [];
  const database = new DatabaseSync(':memory:');
  database.exec(SCHEMA + EVENT_SCHEMA);
  const notified = new Set<string>();
  const stores = openStores(database, CLOCKS, (queue) => notified.add(queue));
  dispatcher = new Dispatcher({ stores, notified, commit: groupCommit(database, stores) });
});

function connected(name: string): Client {
  const made = client(name);
  dispatcher.connect(made);
  return made;
}

/** Takes the scheduled turn, and any further ones that a slow machine needs. */
async function takeTurns(): Promise<void> {
  await oneTurn();
  dispatcher.finish();
}

const inAMinute = () => monotonicMs() + 60_000;
const call = (id: number, method: string, ...args: readonly unknown[]): Call => ({
  id,
  store: 'table',
  method,
  args,
  deadline: inAMinute(),
});
const put = (id: number, text = '') => call(id, 'put', [{ pk: 'p', sk: 's', text }]);
const add = (id: number) => call(id, 'update', { pk: 'p', sk: 's' }, { add: { n: 1 } });
const count = (id: number) => call(id, 'count', { pk: 'p', sk: 'counter' }, { by: 1, expiresAt: inAMinute() });
const answers = () =>
  sent.flatMap(({ message }) => message.replies.map((reply) => ('answer' in reply ? reply.answer : reply.failure)));
const answered = () => sent.flatMap(({ client, message }) => message.replies.map(({ id }) => `${client}${id}`));

describe('Dispatcher', () => {
  it('counts at once, whatever waits', async () => {
    const [crawler, visitor] = [connected('crawler'), connected('visitor')];
    dispatcher.dispatch(visitor, put(0));
    expect(dispatcher.dispatch(visitor, count(1))).toEqual({ id: 1, answer: 1 });
    dispatcher.dispatch(crawler, put(0));
    expect(dispatcher.dispatch(crawler, count(1))).toEqual({ id: 1, answer: 2 });
    expect(sent).toEqual([]);
    await takeTurns();
  });

  it("does a client's calls in their order", async () => {
    const one = connected('one');
    dispatcher.dispatch(one, add(1));
    dispatcher.dispatch(one, put(2));
    dispatcher.dispatch(one, add(3));
    await takeTurns();
    expect(answered()).toEqual(['one1', 'one2', 'one3']);
    expect(answers()).toMatchObject([{ n: 1 }, undefined, { text: '', n: 1 }]);
  });

  it('limits the length of a turn, so that the calls of others come between', async () => {
    const [crawler, visitor] = [connected('crawler'), connected('visitor')];
    const many = Array.from({ length: 400 }, (_, n) => ({ pk: 'p', sk: `k${n}`, text: 'x'.repeat(1000) }));
    for (let id = 0; id < 50; id++) dispatcher.dispatch(crawler, call(id, 'put', many));
    await oneTurn();
    expect(answered().length).toBeLessThan(50);
    dispatcher.dispatch(visitor, put(0));
    dispatcher.finish();
    expect(answered().indexOf('visitor0')).toBeLessThan(50);
    expect(answered()).toHaveLength(51);
  });

  it("does each client's first write before any client's second", async () => {
    const [crawler, visitor] = [connected('crawler'), connected('visitor')];
    for (let id = 0; id < 3; id++) dispatcher.dispatch(crawler, add(id));
    for (let id = 0; id < 2; id++) dispatcher.dispatch(visitor, add(id));
    await takeTurns();
    expect(answered()).toEqual(['crawler0', 'crawler1', 'crawler2', 'visitor0', 'visitor1']);
    expect(answers()).toMatchObject([1, 3, 5, 2, 4].map((n) => ({ n })));
  });

  it('drops a call whose deadline has passed', async () => {
    const one = connected('one');
    dispatcher.dispatch(one, { ...put(1), deadline: monotonicMs() - 1 });
    dispatcher.dispatch(one, add(2));
    await takeTurns();
    expect(answered()).toEqual(['one2']);
    expect(answers()).toMatchObject([{ n: 1 }]);
  });

  it('does the calls of a client that has disconnected', async () => {
    const [gone, here] = [connected('gone'), connected('here')];
    dispatcher.dispatch(gone, put(1));
    dispatcher.disconnect(gone);
    await takeTurns();
    dispatcher.dispatch(here, add(1));
    await takeTurns();
    expect(answers()).toMatchObject([{ text: '', n: 1 }]);
  });

  it('notifies every client of the queues that changed, after the commit', async () => {
    const one = connected('one');
    connected('two');
    const message = { queue: 'q', body: 'x', delaySeconds: 0 };
    dispatcher.dispatch(one, { ...call(1, 'send', message), store: 'queue' });
    await takeTurns();
    expect(sent).toEqual([
      { client: 'one', message: { replies: [{ id: 1, answer: undefined }], notified: ['q'] } },
      { client: 'two', message: { replies: [], notified: ['q'] } },
    ]);
  });
});
