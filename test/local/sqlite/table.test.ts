import { table } from '../../../lambdas/adapters/local/table.ts';
import { openLocalStore } from '../../support/local-store.ts';
import { tableContract } from '../table.contract.ts';

tableContract('SQLite', async () => ({ close: await openLocalStore(), table }));
