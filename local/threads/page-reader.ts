import { PdfReader, type ReadContent } from '../../lambdas/connectors/pdf/pdf-reader.ts';
import { WorkerThread } from '../../lambdas/connectors/worker-thread.ts';
import type { PageReader } from '../../lambdas/domain/ports/page-reader.ts';
import type { FetchedPage } from '../../lambdas/text/fetched-page.ts';

/** Ten times the longest read of a page on a slow machine. */
const READ_TIMEOUT_MS = 30_000;
/** Twice the memory that the largest pages need. */
const MEMORY_LIMIT_MB = 1024;

/** Then the thread ends, which takes 20 MB. Another starts in a fraction of a second. */
const IDLE_MS = 60_000;

const pages = new WorkerThread<FetchedPage, ReadContent>({
  name: 'reading',
  script: new URL('./reading-thread.ts', import.meta.url),
  perPage: { timeoutMs: READ_TIMEOUT_MS, memoryMb: MEMORY_LIMIT_MB },
  idleMs: IDLE_MS,
});
const reader = new PdfReader({ read: (page) => pages.request(page) });

/** Reads pages in a thread, and PDFs in another, so that a long document holds up no page. */
export const pageReader: PageReader & { close(): Promise<void> } = {
  read: (page) => reader.read(page),
  async close() {
    await Promise.all([pages.stop(), reader.close()]);
  },
};
