import { queue } from '../../../local/sqlite/queue.ts';
import { queueContract } from '../../contracts/queue.contract.ts';
import { openLocalStore } from '../../support/local-store.ts';

queueContract('SQLite', async () => ({ close: await openLocalStore(), queue }));
