import { setImmediate } from 'node:timers/promises';
import { extractPage } from '../../core/content/extraction/extract-page.ts';
import type { PageReader } from '../../core/ports/page-reader.ts';

export const pageReader: PageReader = {
  async read(page) {
    await setImmediate(); // sends pending requests before extraction blocks the function's only thread
    return extractPage(page);
  },
};
