import { eventLog } from '../../../local/sqlite/event-log.ts';
import { eventLogContract } from '../../contracts/event-log.contract.ts';
import { openLocalStore } from '../../support/local-store.ts';

eventLogContract('SQLite', async () => ({ close: await openLocalStore(), eventLog, settle: async () => undefined }));
