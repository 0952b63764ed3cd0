import { queue } from '../../local/sqlite/queue.ts';
import { table } from '../../local/sqlite/table.ts';
import { closeStore, openStore } from '../../local/threads/open-store.ts';

/* A second process on a test's store: `store-writer.ts DIR TASK`. */

const [dataDir = '', task = ''] = process.argv.slice(2);

/** Keeps a message in flight, stores items until it is killed, and prints the number of each when it is stored. */
async function writeForEver(): Promise<void> {
  await queue.send('clean-up', { body: 'taken' });
  await queue.receive('clean-up', { max: 1, waitSeconds: 0 });
  for (let n = 0; ; n += 4) {
    const numbers = [n, n + 1, n + 2, n + 3];
    await Promise.all(
      numbers.map(async (number) => {
        await table.write([
          { put: { pk: 'written', sk: String(number) } },
          { update: { pk: 'count', sk: 'count' }, add: { n: 1 } },
        ]);
        process.stdout.write(`${number}\n`);
      }),
    );
  }
}

async function count(): Promise<void> {
  for (let n = 0; n < 200; n++) await table.update({ pk: 'counted', sk: 'together' }, { add: { n: 1 } });
}

await openStore(dataDir);
if (task === 'write-for-ever') await writeForEver();
if (task === 'count') await count();
if (task === 'send') await queue.send('clean-up', { body: 'from another process' });
await closeStore();
