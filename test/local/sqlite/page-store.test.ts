import { pageStore } from '../../../lambdas/adapters/local/page-store.ts';
import { openLocalStore } from '../../support/local-store.ts';
import { pageStoreContract } from '../page-store.contract.ts';

pageStoreContract('SQLite', async () => ({ close: await openLocalStore(), pageStore }));
