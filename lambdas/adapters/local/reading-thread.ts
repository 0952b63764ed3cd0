import { parentPort } from 'node:worker_threads';
import { extractPage } from '../../core/content/extraction/extract-page.ts';
import type { FetchedPage } from '../../core/ports/page-reader.ts';
import type { Told } from './page-reader.ts';

/* The other side of `ReadingThread`. */

const tell = (told: Told): void => parentPort?.postMessage(told);

function read(page: FetchedPage): Told {
  try {
    return { content: extractPage(page) };
  } catch (error) {
    return { fault: String(error) };
  }
}

parentPort?.on('message', (page: FetchedPage) => tell(read(page)));
tell('begun');
