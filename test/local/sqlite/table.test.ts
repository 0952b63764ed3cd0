import { table } from '../../../local/sqlite/table.ts';
import { tableContract } from '../../contracts/table.contract.ts';
import { openLocalStore } from '../../support/local-store.ts';

tableContract('SQLite', async () => ({ close: await openLocalStore(), table }));
