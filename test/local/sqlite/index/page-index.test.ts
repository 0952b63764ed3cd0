import { pageIndex } from '../../../../local/sqlite/page-index.ts';
import { pageIndexContract } from '../../../contracts/page-index.contract.ts';
import { openLocalStore } from '../../../support/local-store.ts';

pageIndexContract('SQLite', async () => ({ close: await openLocalStore(), pageIndex }));
