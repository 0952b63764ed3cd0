import { once } from 'node:events';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { BroadcastChannel, Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pageStore } from '../../../local/sqlite/page-store.ts';
import { queue } from '../../../local/sqlite/queue.ts';
import { table } from '../../../local/sqlite/table.ts';
import { monotonicMs } from '../../../local/threads/calls.ts';
import type { MainStore } from '../../../local/threads/open-store.ts';
import { closeStore, openStore } from '../../../local/threads/open-store.ts';
import { eventually } from '../../support/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

let folder: TemporaryFolder;
let main: MainStore;

beforeEach(async () => {
  folder = temporaryFolder();
  main = await openStore(folder.path);
});
afterEach(async () => {
  await closeStore();
  folder.remove();
});

describe('the adapters', () => {
  it('throw an error while the store is not open', async () => {
    await closeStore();
    const message = 'The local store is not open: call openStore(dataDir) first';
    await expect(table.get({ pk: 'p', sk: 's' })).rejects.toThrow(message);
    await expect(queue.send('clean-up', { body: 'x' })).rejects.toThrow(message);
    await expect(pageStore.removeBelow('s', 1, 1)).rejects.toThrow(message);
  });
});

describe('closeStore', () => {
  it('waits for the calls made before', async () => {
    const written = table.putMany([{ pk: 'p', sk: 's' }]);
    await closeStore();
    await expect(written).resolves.toBeUndefined();
  });

  it('ends a receive that is waiting', async () => {
    const receiving = queue.receive('clean-up', { max: 1, waitSeconds: 20 });
    await delay(30);
    await closeStore();
    expect(await receiving).toEqual([]);
  });

  it('completes calls of another thread first', async () => {
    const { writer } = main.connect().data;
    await table.putMany([{ pk: 'p', sk: 'early' }]);
    const closing = closeStore();
    const put = { id: 1, store: 'table', method: 'put', args: [[{ pk: 'p', sk: 'late' }]] };
    writer.postMessage({ ...put, deadline: monotonicMs() + 10_000 });
    await closing;
    main = await openStore(folder.path);
    expect(await table.get({ pk: 'p', sk: 'late' })).toBeDefined();
  });

  it('may be called when nothing is open', async () => {
    await closeStore();
    await closeStore();
  });
});

describe('the thread that opened the store', () => {
  it('reads its own writes once they are answered', async () => {
    await table.putMany([{ pk: 'p', sk: 's', n: 1 }]);
    expect(await table.get({ pk: 'p', sk: 's' })).toMatchObject({ n: 1 });
  });

  it('gets an answer to a read at once, whatever is being written', async () => {
    await table.putMany([{ pk: 'p', sk: 's', n: 1 }]);
    const writing = table.putMany([{ pk: 'p', sk: 's', n: 2 }]);
    const order: string[] = [];
    setImmediate(() => order.push('the next turn of the loop'));
    await table.get({ pk: 'p', sk: 's' });
    order.push('the item');
    await nextTurn();
    expect(order).toEqual(['the item', 'the next turn of the loop']);
    await writing;
  });
});

describe('a receive', () => {
  it('answers none once its time is over', async () => {
    const begun = performance.now();
    expect(await queue.receive('clean-up', { max: 1, waitSeconds: 1 })).toEqual([]);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1000);
  });

  it('is woken in all threads by what is sent, released or acknowledged', async () => {
    const heard: unknown[] = [];
    const channel = new BroadcastChannel('queues');
    channel.onmessage = (message) => heard.push((message as MessageEvent).data);
    await queue.send('clean-up', { body: 'x' });
    const [message] = await queue.receive('clean-up', { max: 1, waitSeconds: 1 });
    await queue.release('clean-up', message?.receipt ?? '', 0);
    const [again] = await queue.receive('clean-up', { max: 1, waitSeconds: 1 });
    await queue.acknowledge('clean-up', again?.receipt ?? '');
    await eventually(async () => heard.length === 3 || undefined);
    expect(heard).toEqual(['clean-up', 'clean-up', 'clean-up']);
    channel.close();
  });
});

describe('a second thread', () => {
  function startThread(): Worker {
    const { data, transfer } = main.connect();
    return new Worker(new URL('../../support/store-thread.ts', import.meta.url), {
      workerData: data,
      transferList: [...transfer],
    });
  }

  it('shares the store, and each thread wakes the receivers of the other', async () => {
    const thread = startThread();
    await once(thread, 'online');
    await queue.send('crawl', { body: 'there', group: 'g', deduplicationId: 'd' });
    const [message] = await queue.receive('clean-up', { max: 1, waitSeconds: 10 });
    expect(message?.body).toBe('there and back');

    thread.postMessage('leave');
    expect(await once(thread, 'message')).toEqual(['left']);
    expect(await table.get({ pk: 'thread', sk: 'last' })).toMatchObject({ n: 2 });
    await thread.terminate();
  });

  it('cannot write once the store is closed', async () => {
    const thread = startThread();
    await queue.send('crawl', { body: 'there', group: 'g', deduplicationId: 'd' });
    await queue.receive('clean-up', { max: 1, waitSeconds: 10 });
    const message = once(thread, 'message');
    await closeStore();
    thread.postMessage('write');
    expect(await message).toEqual(['UnavailableError: The thread that was called has ended']);
    await thread.terminate();
  });
});
