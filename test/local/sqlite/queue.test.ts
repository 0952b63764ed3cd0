import { queue } from '../../../lambdas/adapters/local/queue.ts';
import { openLocalStore } from '../../support/local-store.ts';
import { queueContract } from '../queue.contract.ts';

queueContract('SQLite', async () => ({ close: await openLocalStore(), queue }));
