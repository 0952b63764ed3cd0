import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FetchedPage } from '../../text/fetched-page.ts';
import { extractPdf } from '../../text/pdf/extract-pdf.ts';
import { serveSequentially } from '../worker-thread.ts';
import type { ReadContent } from './pdf-reader.ts';
import { readPdf } from './read-pdf.ts';

/** The time for reading a document. Then it ends with the pages read so far. */
const READING_MS = 20_000;

/**
 * Returns the folder of the character maps of East Asian fonts: beside this file in the bundle, else in the package.
 */
function characterMaps(): string {
  const bundled = new URL('./cmaps/', import.meta.url);
  return fileURLToPath(
    existsSync(bundled) ? bundled : new URL('cmaps/', import.meta.resolve('pdfjs-dist/package.json')),
  );
}

const CHARACTER_MAPS = characterMaps();

async function read({ body, url }: FetchedPage): Promise<ReadContent> {
  const document = await readPdf(body, {
    characterMaps: CHARACTER_MAPS,
    deadline: performance.now() + READING_MS,
  });
  return typeof document === 'string' ? document : (extractPdf(document, url) ?? 'scanned');
}

serveSequentially(read);
