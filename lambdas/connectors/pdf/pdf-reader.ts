import type { PageReader } from '../../domain/ports/page-reader.ts';
import type { FetchedPage, Unreadable } from '../../text/fetched-page.ts';
import type { PageContent } from '../../text/page-content.ts';
import { isPdf } from '../../text/pdf/is-pdf.ts';
import { PDF_THREAD_FILE } from '../pdf-thread-file.ts';
import { WorkerThread } from '../worker-thread.ts';

/** The result of reading a page. */
export type ReadContent = PageContent | Unreadable | undefined;

/** The limit of time for a document. After two thirds of it, the thread skips the remaining pages of the document. */
const PDF_TIMEOUT_MS = 30_000;
/**
 * The heap of the thread. A manual of 500 pages needs a third of it. The smallest function that reads PDFs has 1,024
 * MB.
 */
const MEMORY_MB = 400;
/** The limit by which the process may grow. It includes unpacked data outside the JavaScript heap. */
const GROWTH_MB = 600;
const IDLE_MS = 10_000;

/** Reads PDFs in a separate thread, which starts with the first PDF. Passes other pages to another reader. */
export class PdfReader implements PageReader {
  readonly #others: PageReader;
  readonly #thread: WorkerThread<FetchedPage, ReadContent>;

  constructor(others: PageReader, script = PDF_THREAD_FILE) {
    this.#others = others;
    this.#thread = new WorkerThread({
      name: 'reading PDFs',
      script,
      perPage: { timeoutMs: PDF_TIMEOUT_MS, memoryMb: MEMORY_MB, growthMb: GROWTH_MB },
      idleMs: IDLE_MS,
    });
  }

  read(page: FetchedPage, orgId?: string): Promise<ReadContent> {
    return isPdf(page) ? this.#thread.request(page) : this.#others.read(page, orgId);
  }

  close(): Promise<void> {
    return this.#thread.stop();
  }
}
