import type { FetchedPage, PageReader } from '../../core/ports/page-reader.ts';
import { PageThread, type ReadContent } from '../page-thread.ts';
import { PdfReader } from '../pdf/pdf-reader.ts';

/** Ten times the longest read of a page on a slow machine. */
const READ_TIMEOUT_MS = 30_000;
/** Twice the memory that the largest pages need. */
const MEMORY_LIMIT_MB = 1024;

/** Then the thread ends, which takes 20 MB. Another starts in a fraction of a second. */
const IDLE_MS = 60_000;

/** Reads pages in a thread, and PDFs in another, so that a long document holds up no page. */
class ThreadedReader implements PageReader {
  readonly #pages = new PageThread({
    name: 'reading',
    script: new URL('./reading-thread.ts', import.meta.url),
    timeoutMs: READ_TIMEOUT_MS,
    memoryMb: MEMORY_LIMIT_MB,
    idleMs: IDLE_MS,
  });
  readonly #reader = new PdfReader(this.#pages);

  read(page: FetchedPage): Promise<ReadContent> {
    return this.#reader.read(page);
  }

  async close(): Promise<void> {
    await Promise.all([this.#pages.close(), this.#reader.close()]);
  }
}

export const pageReader = new ThreadedReader();
