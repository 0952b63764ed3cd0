import type { PageReader } from '../../domain/ports/page-reader.ts';
import type { FetchedPage, Unreadable } from '../../text/fetched-page.ts';
import type { PageContent } from '../../text/page-content.ts';
import { isPdf } from '../../text/pdf/is-pdf.ts';
import { PDF_THREAD_FILE } from '../pdf-thread-file.ts';
import { WorkerThread } from '../worker-thread.ts';

/** What a page was read as. */
export type ReadContent = PageContent | Unreadable | undefined;

/** The thread gives up reading further pages of a document after two thirds of this. */
const PDF_TIMEOUT_MS = 30_000;
/** A manual of 500 pages needs a third of it. The smallest function that reads PDFs has 1,024 MB. */
const MEMORY_MB = 400;
/** Growth of the process, which includes unpacked data outside of the JavaScript heap. */
const GROWTH_MB = 600;
const IDLE_MS = 10_000;

/** Reads PDFs in a thread of its own, which starts with the first one, and other pages by another reader. */
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
