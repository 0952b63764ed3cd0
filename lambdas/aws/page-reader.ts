import { setImmediate } from 'node:timers/promises';
import { PdfReader } from '../connectors/pdf/pdf-reader.ts';
import { extractPage } from '../text/extraction/extract-page.ts';

export const pageReader = new PdfReader({
  async read(page) {
    await setImmediate(); // sends pending requests before extraction blocks the function's main thread
    return extractPage(page);
  },
});
