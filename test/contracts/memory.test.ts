import { memoryEventLog } from '../support/memory/event-log.ts';
import { MemoryPageIndex } from '../support/memory/page-index.ts';
import { memoryPageStore } from '../support/memory/page-store.ts';
import { memoryQueue } from '../support/memory/queue.ts';
import { memoryTable } from '../support/memory/table.ts';
import { eventLogContract } from './event-log.contract.ts';
import { limiterContract } from './limiter.contract.ts';
import { pageIndexContract } from './page-index.contract.ts';
import { pageStoreContract } from './page-store.contract.ts';
import { queueContract } from './queue.contract.ts';
import { tableContract } from './table.contract.ts';

const close = async () => undefined;

tableContract('memory', async () => ({ table: memoryTable(), close }));
queueContract('memory', async () => ({ queue: memoryQueue(), close }));
pageStoreContract('memory', async () => ({ pageStore: memoryPageStore(), close }));
pageIndexContract('memory', async () => ({ pageIndex: new MemoryPageIndex(), close }));
limiterContract('memory', async () => ({ table: memoryTable(), close }));
eventLogContract('memory', async () => ({ eventLog: memoryEventLog(), settle: close, close }));
