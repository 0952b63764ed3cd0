import { parentPort } from 'node:worker_threads';
import { extractPage } from '../../core/content/extraction/extract-page.ts';
import type { FetchedPage } from '../../core/ports/page-reader.ts';
import type { ReaderMessage } from '../page-thread.ts';

const post = (message: ReaderMessage): void => parentPort?.postMessage(message);

function read(page: FetchedPage): ReaderMessage {
  try {
    return { content: extractPage(page) };
  } catch (error) {
    return { fault: String(error) };
  }
}

parentPort?.on('message', (page: FetchedPage) => post(read(page)));
post('started');
