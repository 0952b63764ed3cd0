import { setImmediate } from 'node:timers/promises';
import { extractPage } from '../../core/content/extraction/extract-page.ts';
import { PdfReader } from '../pdf/pdf-reader.ts';

export const pageReader = new PdfReader({
  async read(page) {
    await setImmediate(); // sends pending requests before extraction blocks the function's main thread
    return extractPage(page);
  },
});
