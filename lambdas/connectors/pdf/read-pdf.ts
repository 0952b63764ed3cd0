import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import type { Unreadable } from '../../text/fetched-page.ts';
import type { PdfBookmark, PdfDocument, PdfPage, PdfText } from '../../text/pdf/pdf-document.ts';

export const MAX_PAGES = 500;
const MAX_BOOKMARKS = 5_000;
const MAX_LEVELS = 6;
/** The most pieces of text that are read of a page. */
const MAX_TEXTS = 50_000;

type Options = {
  /** The folder of the character maps of East Asian fonts, with a slash at its end. */
  readonly characterMaps: string;
  /** A time of `performance.now()`. Pages that would be read later are left out. */
  readonly deadline: number;
};

/** Reads the text of the first 500 pages, as far as the deadline allows. A page that cannot be read is empty. */
export async function readPdf(body: Uint8Array, options: Options): Promise<PdfDocument | Unreadable> {
  const pdfjs = await loadPdfjs();
  const loading = pdfjs.getDocument({
    data: new Uint8Array(body),
    cMapUrl: options.characterMaps,
    cMapPacked: true,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    enableXfa: false,
    verbosity: 0,
  });
  try {
    return await readDocument(await loading.promise, options);
  } catch (error) {
    return (error as Error)?.name === 'PasswordException' ? 'encrypted' : 'broken_pdf';
  } finally {
    await loading.destroy();
  }
}

/** Loads pdf.js and runs its worker in the current thread, which reads nothing but PDFs. */
async function loadPdfjs() {
  const worker = await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
  Object.assign(globalThis, { pdfjsWorker: worker });
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}

async function readDocument(document: PDFDocumentProxy, { deadline }: Options): Promise<PdfDocument | Unreadable> {
  const pages: PdfPage[] = [];
  let failed = 0;
  const count = Math.min(document.numPages, MAX_PAGES);
  for (let number = 1; number <= count && performance.now() < deadline; number++) {
    try {
      pages.push(await readPage(await document.getPage(number)));
    } catch {
      failed++;
      pages.push({ width: 0, height: 0, texts: [] });
    }
  }
  if (failed > 0 && failed === pages.length) return 'broken_pdf';
  const { info = {} } = await document.getMetadata().catch(() => ({ info: {} }));
  return {
    pages,
    ...(pages.length < document.numPages && { isCut: true }),
    outline: await bookmarksOf(document),
    title: textIn(info, 'Title'),
    created: textIn(info, 'CreationDate'),
    language: textIn(info, 'Language'),
  };
}

function textIn(info: object, name: string): string | undefined {
  const value = (info as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

async function readPage(page: PDFPageProxy): Promise<PdfPage> {
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const { items, styles } = await page.getTextContent();
  const texts: PdfText[] = [];
  for (const item of items.slice(0, MAX_TEXTS)) {
    if (!('str' in item) || item.str.trim() === '') continue;
    const place = placeOf(item, transform as unknown as Matrix);
    const font = item.fontName;
    if (place) texts.push({ ...place, text: item.str, font, isMonospaced: styles[font]?.fontFamily === 'monospace' });
  }
  page.cleanup();
  return { width, height, texts };
}

type Matrix = readonly [number, number, number, number, number, number];

/**
 * Returns the position of a text in the coordinates of the page as displayed. Undefined if it is not horizontal there.
 */
function placeOf(
  { transform, width }: { readonly transform: readonly number[]; readonly width: number },
  [a, b, c, d, e, f]: Matrix,
): Pick<PdfText, 'x' | 'y' | 'width' | 'size'> | undefined {
  const [ta = 0, tb = 0, tc = 0, td = 0, te = 0, tf = 0] = transform;
  const [right, down] = [a * ta + c * tb, b * ta + d * tb];
  if (right <= 0 || Math.abs(down) > right) return undefined;
  const size = Math.hypot(a * tc + c * td, b * tc + d * td);
  const [x, y] = [a * te + c * tf + e, b * te + d * tf + f];
  return size > 0 && Number.isFinite(x + y + width) ? { x, y, width, size } : undefined;
}

async function bookmarksOf(document: PDFDocumentProxy): Promise<readonly PdfBookmark[]> {
  type Entry = { readonly title: string; readonly items: readonly Entry[] };
  const bookmarks: PdfBookmark[] = [];
  const add = (entries: readonly Entry[], level: number) => {
    for (const { title, items } of entries) {
      if (bookmarks.length >= MAX_BOOKMARKS) return;
      bookmarks.push({ title, level });
      if (level < MAX_LEVELS) add(items, level + 1);
    }
  };
  add((await document.getOutline().catch(() => null)) ?? [], 1);
  return bookmarks;
}
