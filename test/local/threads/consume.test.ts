import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { halt, requestHalt } from '../../../lambdas/runtime/system.ts';
import { queue } from '../../../local/sqlite/queue.ts';
import { FILE_NAME } from '../../../local/sqlite/schema.ts';
import { consume } from '../../../local/threads/consume.ts';
import { attachStore, closeStore, openStore } from '../../../local/threads/open-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('a consumer', () => {
  const { path, remove } = temporaryFolder();
  afterEach(async () => {
    await closeStore();
    remove();
  });

  it('pauses before it reads a queue again that cannot be read', async () => {
    await openStore(path);
    await queue.send('crawl', { body: '{}', group: 'site', deduplicationId: 'one' });
    await closeStore();
    const [{ port1: main }, { port1: writer, port2 }] = [new MessageChannel(), new MessageChannel()];
    attachStore({ file: join(path, FILE_NAME), main, writer });
    port2.close();
    await once(writer, 'close');
    const logged = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const consuming = consume('crawl', async () => ({ batchItemFailures: [] }), halt);
    for (let turns = 0; turns < 100; turns++) await turn();
    const lines = logged.mock.calls.map(([line]) => String(line));
    requestHalt();
    await consuming;
    logged.mockRestore();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"queue":"crawl"');
  });
});
