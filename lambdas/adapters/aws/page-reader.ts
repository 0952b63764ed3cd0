import { setImmediate } from 'node:timers/promises';
import { extractPage } from '../../core/content/extraction/extract-page.ts';
import type { PageReader } from '../../core/ports/page-reader.ts';

export const pageReader: PageReader = {
  async read(page) {
    await setImmediate(); // what was asked for before is sent before the function's one thread is busy with the page
    return extractPage(page);
  },
};
