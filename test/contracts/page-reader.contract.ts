import { afterAll, describe, expect, it } from '@jest/globals';
import type { PageReader } from '../../lambdas/domain/ports/page-reader.ts';
import { pdfFile } from '../support/pdf-file.ts';
import { htmlPage } from '../support/web-site.ts';

/** The promises of `PageReader`. */
export function pageReaderContract(name: string, pageReader: PageReader, close = async () => {}): void {
  describe(`PageReader on ${name}`, () => {
    afterAll(close);
    const read = (url: string, contentType: string | undefined, body: string) =>
      pageReader.read({ url, contentType, body: Buffer.from(body) });

    it('reads HTML, with its links made absolute', async () => {
      const content = await read(
        'https://a.example/dir/',
        'text/html',
        htmlPage('Title', 'A text of its own.', ['next']),
      );
      expect(content).toMatchObject({
        title: 'Title',
        links: [{ href: 'https://a.example/dir/next', nofollow: false }],
      });
      expect(JSON.stringify(content)).toContain('A text of its own.');
    });

    it('reads Markdown, and recognises HTML without a content type', async () => {
      expect(await read('https://a.example/a.md', 'text/markdown; charset=utf-8', '# Häfen\n\nText.')).toMatchObject({
        title: 'Häfen',
      });
      expect(await read('https://a.example/', undefined, htmlPage('Untyped', 'A text of its own.'))).toMatchObject({
        title: 'Untyped',
      });
    });

    it('returns undefined for content that is neither HTML, text nor PDF', async () => {
      expect(await read('https://a.example/a.png', 'image/png', 'PNG')).toBeUndefined();
    });

    it('reads PDFs, by their type or their first bytes, and says why one has no text', async () => {
      const file = pdfFile({ pages: [[{ text: 'Rye is sown in autumn.' }]] });
      const readFile = (contentType: string | undefined, body: Uint8Array) =>
        pageReader.read({ url: 'https://a.example/rye.pdf', contentType, body });
      const rye = { blocks: [{ kind: 'text', text: 'Rye is sown in autumn.', page: 1 }] };
      expect(await readFile('application/pdf', file)).toMatchObject(rye);
      expect(await readFile('application/octet-stream', file)).toMatchObject(rye);
      expect(await readFile(undefined, file)).toMatchObject(rye);
      expect(await readFile('image/png', file)).toBeUndefined();
      expect(await readFile('application/pdf', pdfFile({ pages: [[]] }))).toBe('scanned');
      expect(await readFile('application/pdf', pdfFile({ pages: [[]], isEncrypted: true }))).toBe('encrypted');
      expect(await readFile('application/pdf', Buffer.from('<html>Not here</html>'))).toBe('broken_pdf');
    });

    it('reads many pages at once, each independently, and does not take over their buffers', async () => {
      const page = (i: number) => Buffer.from(htmlPage(`Page ${i}`, `The text of page ${i}.`));
      const bodies = Array.from({ length: 30 }, (_, i) => page(i));
      const contents = await Promise.all(
        bodies.map((body, i) => pageReader.read({ url: `https://a.example/${i}`, contentType: 'text/html', body })),
      );
      expect(contents.map((content) => typeof content === 'object' && content.title)).toEqual(
        bodies.map((_, i) => `Page ${i}`),
      );
      expect(bodies).toEqual(bodies.map((_, i) => page(i)));
    });
  });
}
