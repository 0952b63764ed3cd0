import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { MAX_PAGES, readPdf } from '../../lambdas/connectors/pdf/read-pdf.ts';
import { PDF_THREAD_FILE } from '../../lambdas/connectors/pdf-thread-file.ts';
import { WorkerThread } from '../../lambdas/connectors/worker-thread.ts';
import type { PageContent } from '../../lambdas/text/page-content.ts';
import { extractPdf } from '../../lambdas/text/pdf/extract-pdf.ts';
import { type PdfFile, type PdfTextLine, pdfFile } from '../support/pdf-file.ts';

const CHARACTER_MAPS = fileURLToPath(new URL('cmaps/', import.meta.resolve('pdfjs-dist/package.json')));

async function read(file: PdfFile | Uint8Array): Promise<PageContent | string | undefined> {
  const body = file instanceof Uint8Array ? file : pdfFile(file);
  const document = await readPdf(body, { characterMaps: CHARACTER_MAPS, deadline: performance.now() + 60_000 });
  return typeof document === 'string' ? document : extractPdf(document, 'https://a.example/files/rye%20mill.pdf');
}

async function contentOf(file: PdfFile): Promise<PageContent> {
  const content = await read(file);
  if (typeof content !== 'object') throw new Error(`not read: ${content}`);
  return content;
}

const shown = async (pages: PdfFile['pages'], more: Partial<PdfFile> = {}) =>
  (await contentOf({ pages, ...more })).blocks.map(({ kind, text, page }) => `${page} ${kind}: ${text}`);
const lines = (...texts: readonly string[]): readonly PdfTextLine[] => texts.map((text) => ({ text }));
const at = (x: number, y: number, text: string, more: Partial<PdfTextLine> = {}): PdfTextLine => ({
  x,
  y,
  text,
  ...more,
});

describe('the text of a PDF', () => {
  it('the text of a PDF has whole paragraphs, with their pages', async () => {
    const pages = [lines('Rye is sown in autumn and', 'stands the winter.'), [at(72, 700, 'It is cut in July.')]];
    expect(await shown(pages)).toEqual([
      '1 text: Rye is sown in autumn and stands the winter.',
      '2 text: It is cut in July.',
    ]);
  });

  it('joins a paragraph that continues on the next page, on the page where it begins', async () => {
    const pages = [lines('Rye is sown in autumn and stands the'), lines('winter, and is cut in July.')];
    expect(await shown(pages)).toEqual(['1 text: Rye is sown in autumn and stands the winter, and is cut in July.']);
  });

  it('joins words at hyphens, unless the document also has the hyphenated form', async () => {
    const pages = [
      lines(
        'The well-known mill grinds the har-',
        'vest of the valley. It is a well-',
        'known place, and a two-',
        'Storey house.',
      ),
    ];
    expect(await shown(pages)).toEqual([
      '1 text: The well-known mill grinds the harvest of the valley. It is a well-known place, and a two-Storey house.',
    ]);
  });

  it('reads columns one after another, between lines across both', async () => {
    const column = (x: number, words: string) =>
      Array.from({ length: 6 }, (_, i) => at(x, 640 - 12 * i, `${words} line ${i + 1} of the column of text`));
    const page = [
      at(72, 700, 'A title that reaches over both of the columns of this page, from left to right side'),
      ...column(72, 'Left'),
      ...column(330, 'Right'),
      at(72, 500, 'A note below that reaches over both of the columns of this page, from left to right'),
    ].sort((a, b) => (b.y ?? 0) - (a.y ?? 0));
    const text = (await shown([page])).join('\n');
    expect(text.indexOf('Left line 6')).toBeLessThan(text.indexOf('Right line 1'));
    expect(text.indexOf('A title')).toBeLessThan(text.indexOf('Left line 1'));
    expect(text.indexOf('Right line 6')).toBeLessThan(text.indexOf('A note below'));
  });

  it('reads a table by rows', async () => {
    const row = (y: number, ...cells: readonly string[]) => cells.map((cell, i) => at(72 + 120 * i, y, cell));
    const page = [
      ...row(600, 'Grain', 'Price', 'Place'),
      ...row(588, 'rye', '2', 'valley'),
      ...row(576, 'wheat', '3', 'hill'),
    ];
    expect(await shown([page])).toEqual(['1 table: Grain | Price | Place\nrye | 2 | valley\nwheat | 3 | hill']);
  });

  it('leaves out running heads and page numbers', async () => {
    const pages = Array.from({ length: 4 }, (_, i) => [
      at(72, 760, 'Mills of the valley'),
      at(500, 760, `Chapter ${i + 1}`),
      at(72, 600, `Page ${i + 1} has a text about ${['rye', 'wheat', 'oats', 'spelt'][i]}.`),
      at(300, 30, ['1', '- 2 -', 'Page 3 of 4', 'iv'][i] ?? ''),
    ]);
    expect(await shown(pages)).toEqual([
      '1 text: Page 1 has a text about rye.',
      '2 text: Page 2 has a text about wheat.',
      '3 text: Page 3 has a text about oats.',
      '4 text: Page 4 has a text about spelt.',
    ]);
  });

  it('has headings by letter size and by the outline, lists and code', async () => {
    const page: PdfTextLine[] = [
      at(72, 700, 'Oats', { size: 18 }),
      at(72, 660, 'Oats grow on poor soil, and are sown in spring.'),
      at(72, 620, '1.2 Milling'),
      at(72, 590, '\u0095 hull the grain'),
      at(72, 578, '\u0095 steam it'),
      at(72, 540, 'mill --grain oats', { font: 'Courier' }),
      at(84, 528, '--roll thin', { font: 'Courier' }),
    ];
    const content = await contentOf({ pages: [page], title: 'Grains', outline: ['Milling'] });
    expect(content.blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Oats', page: 1 },
      { kind: 'text', text: 'Oats grow on poor soil, and are sown in spring.', page: 1 },
      { kind: 'heading', level: 1, text: '1.2 Milling', page: 1 },
      { kind: 'list', text: '• hull the grain\n• steam it', page: 1 },
      { kind: 'code', text: 'mill --grain oats\n  --roll thin', page: 1 },
    ]);
  });

  it('the text of a PDF ends after 500 pages', async () => {
    const pages = Array.from({ length: MAX_PAGES + 2 }, (_, i) => [
      at(72, 500, `The text of sheet number ${i + 1} is here.`),
    ]);
    const { blocks } = await contentOf({ pages });
    expect(blocks.at(-1)).toEqual({ kind: 'text', text: 'The text of sheet number 500 is here.', page: MAX_PAGES });
  }, 60_000);
});

describe('the metadata of a PDF', () => {
  const page = [at(72, 700, 'The mill', { size: 20 }), ...lines('Rye is sown in autumn and stands the winter well.')];

  it('the metadata of a PDF is title and date from its properties', async () => {
    const content = await contentOf({ pages: [page], title: 'Rye and wheat', created: "D:20260131120000+01'00'" });
    expect(content).toMatchObject({ title: 'Rye and wheat', publishedAt: '2026-01-31T12:00:00+01:00' });
  });

  it.each([undefined, '', 'Microsoft Word - rye.docx', 'rye.indd', 'untitled', '...'])(
    'is the largest heading instead of the title %j',
    async (title) => {
      const { title: read, blocks } = await contentOf({ pages: [page], ...(title !== undefined && { title }) });
      expect(read).toBe('The mill');
      expect(blocks.map(({ kind }) => kind)).toEqual(['text']);
    },
  );

  it.each(['D:20261399', 'yesterday', 'D:1601'])('has no date from %s', async (created) => {
    expect((await contentOf({ pages: [page], created })).publishedAt).toBeUndefined();
  });
});

describe('a PDF without text says why', () => {
  const whole = pdfFile({ pages: [lines('Rye is sown in autumn.')] });

  it.each<[string, PdfFile | Uint8Array, string | undefined]>([
    ['encrypted', { pages: [lines('Rye')], isEncrypted: true }, 'encrypted'],
    ['without letters', { pages: [[], lines('- - -')] }, undefined],
    ['no PDF', Buffer.from('<!doctype html><title>Log in</title>'), 'broken_pdf'],
    ['empty', Buffer.alloc(0), 'broken_pdf'],
    ['cut off at its start', whole.subarray(0, 30), 'broken_pdf'],
    ['of zeros', Buffer.alloc(10_000), 'broken_pdf'],
  ])('%s', async (_, file, result) => {
    expect(await read(file)).toBe(result);
  });

  it('a PDF that was cut off is read as far as it goes', async () => {
    expect(await read(whole.subarray(0, -60))).toMatchObject({ blocks: [{ text: 'Rye is sown in autumn.' }] });
  });
});

describe('the thread of PDFs', () => {
  const perPage = { timeoutMs: 20_000, memoryMb: 400, growthMb: 400 };
  const thread = new WorkerThread({ name: 'PDF', script: PDF_THREAD_FILE, perPage });
  afterAll(() => thread.stop());
  const pageOf = (body: Uint8Array) => ({ url: 'https://a.example/rye.pdf', contentType: 'application/pdf', body });

  it('ends a file that unpacks to more memory than it may take, and reads the next one', async () => {
    const content = deflateSync(deflateSync(Buffer.alloc(900_000_000)));
    const stream = `4 0 obj\n<< /Length ${content.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n`;
    const objects =
      '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids ' +
      '[3 0 R] /Count 1 >>\n' +
      'endobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>\nendobj\n';
    const bomb = Buffer.concat([
      Buffer.from(objects + stream, 'latin1'),
      content,
      Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n'),
    ]);
    const [hostile, next] = await Promise.allSettled([
      thread.request(pageOf(bomb)),
      thread.request(pageOf(pdfFile({ pages: [lines('Rye is sown in autumn.')] }))),
    ]);
    expect(hostile).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringMatching(/memory|longer than/) },
    });
    expect(next).toMatchObject({ value: { blocks: [{ text: 'Rye is sown in autumn.' }] } });
  }, 90_000);
});
