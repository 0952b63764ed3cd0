import { DatabaseSync } from 'node:sqlite';
import { setImmediate as oneTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Client, Dispatcher } from '../../../lambdas/adapters/local/engine/dispatcher.ts';
import { groupCommit } from '../../../lambdas/adapters/local/engine/group-commit.ts';
import type { Call, News } from '../../../lambdas/adapters/local/engine/protocol.ts';
import { bringToFormat } from '../../../lambdas/adapters/local/engine/schema.ts';
import { openStores } from '../../../lambdas/adapters/local/engine/stores.ts';

/** A client that keeps the news, with its name, in one list with those of others. */
type Told = { readonly client: string; readonly news: News };

let told: Told[];
let dispatcher: Dispatcher;
const client = (name: string): Client => ({ postMessage: (news) => told.push({ client: name, news }) });

beforeEach(() => {
  told = [];
  const database = new DatabaseSync(':memory:');
  bringToFormat(database);
  const rung = new Set<string>();
  const stores = openStores(database, Date.now, (queue) => rung.add(queue));
  dispatcher = new Dispatcher({ stores, rung, commit: groupCommit(database, stores) });
});

function connected(name: string): Client {
  const made = client(name);
  dispatcher.connect(made);
  return made;
}

/** The turn that is due, and whatever a slow moment has left to later ones. */
async function turn(): Promise<void> {
  await oneTurn();
  dispatcher.finish();
}

const inAMinute = () => Date.now() + 60_000;
const call = (id: number, method: string, ...args: readonly unknown[]): Call => ({
  id,
  store: 'table',
  method,
  args,
  giveUpAt: inAMinute(),
});
const put = (id: number, text = '') => call(id, 'put', [{ pk: 'p', sk: 's', text }]);
const get = (id: number) => call(id, 'get', { pk: 'p', sk: 's' });
const answered = () => told.flatMap(({ client, news }) => news.replies.map(({ id }) => `${client}${id}`));

describe('Dispatcher', () => {
  it('answers reads before the writes of other clients', async () => {
    const [crawler, visitor] = [connected('crawler'), connected('visitor')];
    for (let id = 0; id < 3; id++) dispatcher.take(crawler, put(id));
    dispatcher.take(visitor, get(0));
    await turn();
    expect(answered()[0]).toBe('visitor0');
    expect(answered().toSorted()).toEqual(['crawler0', 'crawler1', 'crawler2', 'visitor0']);
  });

  it("answers a client's read after the client's own writes, with what they wrote", async () => {
    const one = connected('one');
    dispatcher.take(one, put(1, 'first'));
    dispatcher.take(one, get(2));
    dispatcher.take(one, put(3, 'second'));
    dispatcher.take(one, get(4));
    await turn();
    expect(answered()).toEqual(['one1', 'one2', 'one3', 'one4']);
    const values = told.flatMap(({ news }) => news.replies.map((reply) => 'answer' in reply && reply.answer));
    expect(values).toMatchObject([undefined, { value: '{"text":"first"}' }, undefined, { value: '{"text":"second"}' }]);
  });

  it('ends a turn of many calls, so that others come between', async () => {
    const [crawler, visitor] = [connected('crawler'), connected('visitor')];
    const many = Array.from({ length: 400 }, (_, n) => ({ pk: 'p', sk: `k${n}`, text: 'x'.repeat(1000) }));
    for (let id = 0; id < 50; id++) dispatcher.take(crawler, call(id, 'put', many));
    await oneTurn();
    expect(answered().length).toBeLessThan(50);
    dispatcher.take(visitor, get(0));
    dispatcher.finish();
    expect(answered().indexOf('visitor0')).toBeLessThan(50);
    expect(answered()).toHaveLength(51);
  });

  it("does each client's first write before any client's second", async () => {
    const [crawler, visitor] = [connected('crawler'), connected('visitor')];
    for (let id = 0; id < 3; id++) dispatcher.take(crawler, put(id, `crawler ${id}`));
    for (let id = 0; id < 2; id++) dispatcher.take(visitor, put(id, `visitor ${id}`));
    dispatcher.take(visitor, get(2));
    await turn();
    const seen = told
      .flatMap(({ news }) => news.replies)
      .find((reply) => 'answer' in reply && reply.answer !== undefined);
    expect(seen).toMatchObject({ id: 2, answer: { value: '{"text":"crawler 2"}' } });
  });

  it('does not begin a call whose caller has given up', async () => {
    const one = connected('one');
    dispatcher.take(one, { ...put(1), giveUpAt: Date.now() - 1 });
    dispatcher.take(one, get(2));
    await turn();
    expect(told.flatMap(({ news }) => news.replies)).toEqual([{ id: 2, answer: undefined }]);
  });

  it('does what a client called that has left', async () => {
    const [gone, here] = [connected('gone'), connected('here')];
    dispatcher.take(gone, put(1));
    dispatcher.disconnect(gone);
    await turn();
    dispatcher.take(here, get(1));
    await turn();
    expect(told).toMatchObject([{ client: 'here', news: { replies: [{ answer: { sk: 's' } }] } }]);
  });

  it('tells every client which queue was rung, after the commit', async () => {
    const one = connected('one');
    connected('two');
    const message = { queue: 'q', body: 'x', delaySeconds: 0 };
    dispatcher.take(one, { ...call(1, 'send', message), store: 'queue' });
    await turn();
    expect(told).toEqual([
      { client: 'one', news: { replies: [{ id: 1, answer: undefined }], rung: ['q'] } },
      { client: 'two', news: { replies: [], rung: ['q'] } },
    ]);
  });
});
