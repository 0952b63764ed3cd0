/**
 * A line of text at a place in points from the lower left corner of a page of 612 by 792; by default below the last
 * one.
 */
export type PdfTextLine = {
  readonly text: string;
  readonly x?: number;
  readonly y?: number;
  readonly size?: number;
  readonly font?: 'Helvetica' | 'Courier';
};

export type PdfFile = {
  readonly pages: readonly (readonly PdfTextLine[])[];
  readonly title?: string;
  /** A date of a PDF: `D:20260131120000+01'00'`. */
  readonly created?: string;
  /** Opens with a password that nobody knows. */
  readonly isEncrypted?: boolean;
  /** Titles of the outline, all at its top. */
  readonly outline?: readonly string[];
};

const [LEFT, TOP, SIZE, LEADING] = [72, 700, 10, 12];

/** A small PDF as a program would write it (ISO 32000-1), with texts in Latin-1. */
export function pdfFile({ pages, title, created, isEncrypted = false, outline = [] }: PdfFile): Buffer {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  const reserve = () => add('');
  const [catalog, tree] = [reserve(), reserve()];
  const fonts = `<< /F1 ${add(font('Helvetica'))} 0 R /F2 ${add(font('Courier'))} 0 R >>`;
  const kids = pages.map((lines) => {
    const content = contentOf(lines);
    const stream = add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 612 792] /Resources << /Font ${fonts} >> ` +
        `/Contents ${stream} 0 R >>`,
    );
  });
  objects[tree - 1] = `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${kids.length} >>`;
  const outlines = outline.length === 0 ? '' : ` /Outlines ${addOutline(outline, add, objects)} 0 R`;
  objects[catalog - 1] = `<< /Type /Catalog /Pages ${tree} 0 R${outlines} >>`;
  const info = add(`<<${entry('Title', title)}${entry('CreationDate', created)} >>`);
  const secret = Buffer.alloc(32, 7).toString('hex');
  const lock = isEncrypted
    ? ` /Encrypt ${add(`<< /Filter /Standard /V 1 /R 2 /O <${secret}> /U <${secret}> /P -4 >>`)} 0 R`
    : '';
  return written(objects, `/Root ${catalog} 0 R /Info ${info} 0 R /ID [<${secret}> <${secret}>]${lock}`);
}

const font = (name: string): string =>
  `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
const entry = (name: string, text: string | undefined): string =>
  text === undefined ? '' : ` /${name} (${escaped(text)})`;
const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&');

function contentOf(lines: readonly PdfTextLine[]): string {
  let below = TOP;
  return lines
    .map(({ text, x = LEFT, y = below, size = SIZE, font: name = 'Helvetica' }) => {
      below = y - (LEADING * size) / SIZE;
      return `BT /${name === 'Courier' ? 'F2' : 'F1'} ${size} Tf ${x} ${y} Td (${escaped(text)}) Tj ET`;
    })
    .join('\n');
}

function addOutline(titles: readonly string[], add: (body: string) => number, objects: string[]): number {
  const root = add('');
  const first = root + 1;
  for (const [i, title] of titles.entries()) {
    const next = i + 1 < titles.length ? ` /Next ${first + i + 1} 0 R` : '';
    const previous = i > 0 ? ` /Prev ${first + i - 1} 0 R` : '';
    add(`<<${entry('Title', title)} /Parent ${root} 0 R${previous}${next} >>`);
  }
  objects[root - 1] =
    `<< /Type /Outlines /First ${first} 0 R /Last ${first + titles.length - 1} 0 R /Count ${titles.length} >>`;
  return root;
}

function written(objects: readonly string[], trailer: string): Buffer {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((body, i) => {
    const offset = file.length;
    file += `${i + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end =
    `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} ${trailer} ` +
    `>>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + end, 'latin1');
}
