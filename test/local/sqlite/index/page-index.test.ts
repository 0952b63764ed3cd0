import { pageIndex } from '../../../lambdas/adapters/local/page-index.ts';
import { openLocalStore } from '../../support/local-store.ts';
import { pageIndexContract } from '../page-index.contract.ts';

pageIndexContract('SQLite', async () => ({ close: await openLocalStore(), pageIndex }));
