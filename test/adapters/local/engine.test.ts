import { once } from 'node:events';
import { setTimeout as delay, setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OwnEngine } from '../../../lambdas/adapters/local/engine/store-host.ts';
import { closeEngine, openEngine } from '../../../lambdas/adapters/local/engine.ts';
import { pageStore } from '../../../lambdas/adapters/local/page-store.ts';
import { queue } from '../../../lambdas/adapters/local/queue.ts';
import { table } from '../../../lambdas/adapters/local/table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder = temporaryFolder();
let engine: OwnEngine;

beforeEach(async () => {
  folder = temporaryFolder();
  engine = await openEngine(folder.path);
});
afterEach(async () => {
  await closeEngine();
  folder.remove();
});

describe('the adapters', () => {
  it('say so when the engine is not open', async () => {
    await closeEngine();
    const message = 'The local store is not open: call openEngine(dataDir) first';
    await expect(table.get({ pk: 'p', sk: 's' })).rejects.toThrow(message);
    await expect(queue.send('clean-up', { body: 'x' })).rejects.toThrow(message);
    await expect(pageStore.removeBelow('s', 1, 1)).rejects.toThrow(message);
  });
});

describe('closeEngine', () => {
  it('answers the calls made before', async () => {
    const written = table.putMany([{ pk: 'p', sk: 's' }]);
    await closeEngine();
    await expect(written).resolves.toBeUndefined();
  });

  it('ends a receiver that waits', async () => {
    const receiving = queue.receive('clean-up', { max: 1, waitSeconds: 20 });
    await delay(30);
    await closeEngine();
    expect(await receiving).toEqual([]);
  });

  it('is fine when nothing is open', async () => {
    await closeEngine();
    await closeEngine();
  });
});

describe('the thread that opened it', () => {
  it('reads what it has written before, also without waiting for it', async () => {
    const written = table.putMany([{ pk: 'p', sk: 's', n: 1 }]);
    expect(await table.get({ pk: 'p', sk: 's' })).toMatchObject({ n: 1 });
    await written;
  });

  it('is answered at once when it only reads and waits for nothing', async () => {
    await table.putMany([{ pk: 'p', sk: 's', n: 1 }]);
    const order: string[] = [];
    setImmediate(() => order.push('the next turn of the loop'));
    await table.get({ pk: 'p', sk: 's' });
    order.push('the item');
    await turnOfTheLoop();
    expect(order).toEqual(['the item', 'the next turn of the loop']);
  });
});

describe('a second thread', () => {
  function startGuest(): Worker {
    const port = engine.connect();
    return new Worker(new URL('../../support/store-guest.ts', import.meta.url), {
      workerData: port,
      transferList: [port],
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
  }

  it('has the same store, and each wakes the receivers of the other', async () => {
    const guest = startGuest();
    await once(guest, 'online');
    await queue.send('crawl', { body: 'there', group: 'g', deduplicationId: 'd' });
    const [delivery] = await queue.receive('clean-up', { max: 1, waitSeconds: 10 });
    expect(delivery?.body).toBe('there and back');

    guest.postMessage('leave');
    expect(await once(guest, 'message')).toEqual(['left']);
    expect(await table.get({ pk: 'guest', sk: 'last' })).toMatchObject({ n: 2 });
    await guest.terminate();
  });

  it('learns that the engine has ended', async () => {
    const guest = startGuest();
    await queue.send('crawl', { body: 'there', group: 'g', deduplicationId: 'd' });
    await queue.receive('clean-up', { max: 1, waitSeconds: 10 });
    const told = once(guest, 'message');
    await closeEngine();
    expect(await told).toEqual(['died']);
    await guest.terminate();
  });
});
