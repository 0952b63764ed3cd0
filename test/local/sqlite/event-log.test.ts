import { eventLog } from '../../../lambdas/adapters/local/event-log.ts';
import { openLocalStore } from '../../support/local-store.ts';
import { eventLogContract } from '../event-log.contract.ts';

eventLogContract('SQLite', async () => ({ close: await openLocalStore(), eventLog, settle: async () => undefined }));
