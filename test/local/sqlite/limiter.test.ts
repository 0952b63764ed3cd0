import { table } from '../../../local/sqlite/table.ts';
import { limiterContract } from '../../contracts/limiter.contract.ts';
import { openLocalStore } from '../../support/local-store.ts';

limiterContract('SQLite', async () => ({ close: await openLocalStore(), table }));
