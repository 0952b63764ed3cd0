import { pageStore } from '../../../local/sqlite/page-store.ts';
import { pageStoreContract } from '../../contracts/page-store.contract.ts';
import { openLocalStore } from '../../support/local-store.ts';

pageStoreContract('SQLite', async () => ({ close: await openLocalStore(), pageStore }));
