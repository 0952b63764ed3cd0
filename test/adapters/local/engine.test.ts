import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { closeEngine, type OwnEngine, openEngine } from '../../../lambdas/adapters/local/engine.ts';
import { pageStore } from '../../../lambdas/adapters/local/page-store.ts';
import { queue } from '../../../lambdas/adapters/local/queue.ts';
import { table } from '../../../lambdas/adapters/local/table.ts';
import { outputOf, startProcess } from '../../support/child-process.ts';
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

const isOpen = (settled: Promise<unknown>) => Promise.race([settled.then(() => false), delay(50, true)]);

describe('the adapters', () => {
  it('say so when the engine is not open', async () => {
    await closeEngine();
    const message = 'The local store is not open: call openEngine(dataDir) first';
    await expect(table.get({ pk: 'p', sk: 's' })).rejects.toThrow(message);
    await expect(queue.send('clean-up', { body: 'x' })).rejects.toThrow(message);
    await expect(pageStore.removeBelow('s', 1, 1)).rejects.toThrow(message);
  });

  it('refuse what is no data', async () => {
    const item = { pk: 'p', sk: 's', text: (() => 'x') as unknown as string };
    await expect(table.putMany([item])).rejects.toThrow();
    expect(await table.get({ pk: 'p', sk: 's' })).toBeUndefined();
  });
});

describe('closeEngine', () => {
  it('answers the calls made before, and is no death', async () => {
    const written = table.putMany([{ pk: 'p', sk: 's' }]);
    await closeEngine();
    await written;
    expect(await isOpen(engine.died)).toBe(true);
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

describe('an engine thread that dies', () => {
  it('fails the calls that wait and the later ones, and the process learns of it', async () => {
    await closeEngine();
    const output = await outputOf(startProcess('support/dying-engine.ts', folder.path));
    const name = 'UnavailableError';
    expect(JSON.parse(output)).toEqual({ waiting: name, later: name, died: name });
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
