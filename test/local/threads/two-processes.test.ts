import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Item, Listing } from '../../../lambdas/domain/ports/table.ts';
import { queue, releaseInFlight } from '../../../local/sqlite/queue.ts';
import { table } from '../../../local/sqlite/table.ts';
import { closeStore, openStore } from '../../../local/threads/open-store.ts';
import { outputOf, startProcess } from '../../support/child-process.ts';
import { eventually } from '../../support/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await closeStore();
  folder.remove();
});

const startWriter = (task: string) => startProcess('support/store-writer.ts', folder.path, task);

async function countOf(pk: string): Promise<number> {
  let count = 0;
  let page: Listing<Item> | undefined;
  do {
    page = await table.query(pk, { limit: 1000, ...(page?.next === undefined ? {} : { after: page.next }) });
    count += page.items.length;
  } while (page.next !== undefined);
  return count;
}

describe('after a kill -9', () => {
  it('every answered write is stored, none is partial, and messages in flight are redelivered', async () => {
    const writer = startWriter('write-for-ever');
    let output = '';
    writer.stdout?.on('data', (text: string) => {
      output += text;
    });
    await eventually(async () => (output.split('\n').length > 200 ? true : undefined));
    writer.kill('SIGKILL');
    await once(writer, 'close');

    await openStore(folder.path);
    const answered = output.split('\n').slice(0, -1);
    const items = await table.getMany(answered.map((sk) => ({ pk: 'written', sk })));
    expect(items.filter((item) => item === undefined)).toEqual([]);
    expect(await table.get({ pk: 'count', sk: 'count' })).toMatchObject({ n: await countOf('written') });

    expect(await queue.receive('clean-up', { max: 1, waitSeconds: 0 })).toEqual([]);
    expect(await releaseInFlight()).toBe(1);
    expect(await queue.receive('clean-up', { max: 1, waitSeconds: 0 })).toMatchObject([
      { body: 'taken', receiveCount: 2 },
    ]);
  });
});

describe('a second process', () => {
  it('updates the same items as the first at the same time', async () => {
    await openStore(folder.path);
    const other = outputOf(startWriter('count'));
    for (let n = 0; n < 200; n++) await table.update({ pk: 'counted', sk: 'together' }, { add: { n: 1 } });
    await other;
    expect(await table.get({ pk: 'counted', sk: 'together' })).toMatchObject({ n: 400 });
  });

  it('sends messages to receivers of the first', async () => {
    await openStore(folder.path);
    const receiving = queue.receive('clean-up', { max: 1, waitSeconds: 10 });
    await outputOf(startWriter('send'));
    expect(await receiving).toMatchObject([{ body: 'from another process' }]);
  });
});
