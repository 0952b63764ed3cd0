import { PdfReader, type ReadContent } from '../../lambdas/connectors/pdf/pdf-reader.ts';
import { WorkerThread } from '../../lambdas/connectors/worker-thread.ts';
import type { PageReader } from '../../lambdas/domain/ports/page-reader.ts';
import type { FetchedPage } from '../../lambdas/text/fetched-page.ts';
import { ReadingTurns } from './reading-turns.ts';

/** The limit of time for a page: ten times the longest read on a slow machine. */
const READ_TIMEOUT_MS = 30_000;
/** The limit of memory: twice what the largest pages need. */
const MEMORY_LIMIT_MB = 1024;

/** The idle time after which a thread ends, which frees 20 MB. Another starts in a fraction of a second. */
const IDLE_MS = 60_000;

const threadNamed = (name: string) =>
  new WorkerThread<FetchedPage, ReadContent>({
    name,
    script: new URL('./reading-thread.ts', import.meta.url),
    perPage: { timeoutMs: READ_TIMEOUT_MS, memoryMb: MEMORY_LIMIT_MB },
    idleMs: IDLE_MS,
  });
const [quick, slow] = [threadNamed('reading'), threadNamed('reading slowly')];
const turns = new ReadingTurns(
  (page) => quick.request(page),
  (page) => slow.request(page),
);
const reader = new PdfReader({ read: (page, orgId = '') => turns.read(page, orgId) });

/** Reads pages in two threads and PDFs in a third, so that a long document delays no page. */
export const pageReader: PageReader & { close(): Promise<void> } = {
  read: (page, orgId) => reader.read(page, orgId),
  async close() {
    turns.stop();
    await Promise.all([quick.stop(), slow.stop(), reader.close()]);
  },
};
