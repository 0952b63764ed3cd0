import type { PdfPage, PdfText } from './pdf-document.ts';

/** A line of a page or of one of its columns. */
export type PdfLine = {
  readonly text: string;
  /** The texts between wide gaps, such as the cells of a table row. */
  readonly cells: readonly string[];
  readonly x: number;
  readonly right: number;
  readonly y: number;
  readonly size: number;
  readonly isMonospaced: boolean;
  /** The font; undefined if the line has several. */
  readonly font: string | undefined;
};

/** Gaps between words, and between columns or cells, as shares of the letters' size. */
const [WORD_GAP, CELL_GAP] = [0.15, 1.2];
/** Lines whose baselines differ by less than this share of their size are one line. */
const SAME_LINE = 0.45;
/** Maximum pieces of text on a page that is divided into columns. */
const MAX_PIECES = 5_000;

/** Joins the pieces of text on each baseline between wide gaps. */
function pageSegments({ texts }: PdfPage): readonly PdfLine[] {
  const rows = rowsOf(texts);
  return rows.flatMap((row) => {
    const segments: PdfText[][] = [];
    for (const text of row) {
      const last = segments.at(-1)?.at(-1);
      if (last && text.x - (last.x + last.width) <= CELL_GAP * text.size) segments.at(-1)?.push(text);
      else segments.push([text]);
    }
    return segments.map(segmentOf);
  });
}

const isSameLine = (a: Pick<PdfLine, 'y' | 'size'>, b: Pick<PdfLine, 'y' | 'size'>): boolean =>
  Math.abs(a.y - b.y) < SAME_LINE * Math.min(a.size, b.size);

/**
 * Groups pieces by baseline from the top, each from left to right. A raised number joins the line that it belongs to.
 */
function rowsOf(texts: readonly PdfText[]): readonly (readonly PdfText[])[] {
  const rows: PdfText[][] = [];
  for (const text of texts.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row && first && Math.abs(text.y - first.y) < SAME_LINE * Math.max(text.size, first.size)) row.push(text);
    else rows.push([text]);
  }
  return rows.map((row) => row.sort((a, b) => a.x - b.x));
}

function segmentOf(texts: readonly PdfText[]): PdfLine {
  let text = '';
  let end = Number.NEGATIVE_INFINITY;
  for (const part of texts) {
    if (text !== '' && part.x - end > WORD_GAP * part.size && !/\s$/.test(text) && !/^\s/.test(part.text)) text += ' ';
    text += part.text;
    end = part.x + part.width;
  }
  const trimmed = text.replace(/\s+/g, ' ').trim();
  const largest = texts.reduce((most, { size }) => Math.max(most, size), 0);
  const main = texts.find(({ size }) => size === largest);
  return {
    text: trimmed,
    cells: [trimmed],
    x: texts[0]?.x ?? 0,
    right: end,
    y: main?.y ?? 0,
    size: largest,
    isMonospaced: texts.every(({ isMonospaced }) => isMonospaced),
    font: texts.every(({ font }) => font === main?.font) ? main?.font : undefined,
  };
}

/** Returns the lines of a page in reading order: column after column if the page has columns. */
export function pageLines(page: PdfPage): readonly PdfLine[] {
  const segments = pageSegments(page).filter(({ text }) => text !== '');
  return segments.length > MAX_PIECES ? joinedRows(segments) : inOrder(segments, 0);
}

const MAX_COLUMNS_DEPTH = 2;

function inOrder(segments: readonly PdfLine[], depth: number): readonly PdfLine[] {
  const gutter = depth > MAX_COLUMNS_DEPTH ? undefined : gutterOf(segments);
  if (!gutter) return joinedRows(segments);
  const ordered: PdfLine[] = [];
  let columns: PdfLine[] = [];
  const endColumns = () => {
    const isLeft = ({ x, right }: PdfLine): boolean => (x + right) / 2 < gutter.middle;
    ordered.push(...inOrder(columns.filter(isLeft), depth + 1));
    ordered.push(
      ...inOrder(
        columns.filter((line) => !isLeft(line)),
        depth + 1,
      ),
    );
    columns = [];
  };
  for (const segment of segments) {
    if (!crosses(segment, gutter.middle)) {
      columns.push(segment);
      continue;
    }
    endColumns();
    ordered.push(segment);
  }
  endColumns();
  return ordered;
}

const crosses = ({ x, right }: PdfLine, at: number): boolean => x < at - 1 && right > at + 1;

/** Minimum lines of a column, and the maximum share of a page's lines that may cross the space between two columns. */
const [COLUMN_LINES, CROSSING_SHARE] = [4, 0.3];
/** The gap between two columns is searched for from 0.2 to 0.8 of the lines' width, in 60 steps. */
const [FIRST_PLACE, LAST_PLACE, PLACES] = [0.2, 0.8, 60];
/** A line of prose fills at least this share of its column; a cell of a table does not. */
const FILLED = 0.55;

type Gutter = { readonly middle: number };

/** Finds the space between two columns of prose. */
function gutterOf(segments: readonly PdfLine[]): Gutter | undefined {
  if (segments.length < 2 * COLUMN_LINES) return undefined;
  const left = Math.min(...segments.map(({ x }) => x));
  const width = Math.max(...segments.map(({ right }) => right)) - left;
  let best: { readonly first: number; readonly last: number; readonly crossing: number } | undefined;
  for (let place = 0; place <= PLACES; place++) {
    const at = left + width * (FIRST_PLACE + ((LAST_PLACE - FIRST_PLACE) * place) / PLACES);
    const crossing = segments.filter((segment) => crosses(segment, at)).length;
    if (best && crossing === best.crossing && best.last >= at - width / PLACES) best = { ...best, last: at };
    else if (!best || crossing < best.crossing) best = { first: at, last: at, crossing };
  }
  if (!best || best.crossing > CROSSING_SHARE * segments.length) return undefined;
  const middle = (best.first + best.last) / 2;
  const beside = segments.filter((segment) => !crosses(segment, middle));
  const sides = [beside.filter(({ right }) => right <= middle + 1), beside.filter(({ x }) => x >= middle - 1)];
  return sides.every(isColumnOfProse) ? { middle } : undefined;
}

function isColumnOfProse(lines: readonly PdfLine[]): boolean {
  if (lines.length < COLUMN_LINES) return false;
  const left = Math.min(...lines.map(({ x }) => x));
  const width = Math.max(...lines.map(({ right }) => right)) - left;
  const full = lines.filter(({ x, right }) => right - x >= FILLED * width && right - x > 0);
  return width > 0 && full.length >= lines.length / 2 && full.length >= COLUMN_LINES - 1;
}

/** Joins the segments on one baseline to one line with cells. */
function joinedRows(segments: readonly PdfLine[]): readonly PdfLine[] {
  const lines: PdfLine[] = [];
  for (const segment of segments) {
    const last = lines.at(-1);
    if (!last || !isSameLine(last, segment) || segment.x < last.right) lines.push(segment);
    else
      lines[lines.length - 1] = {
        ...last,
        text: `${last.text} ${segment.text}`,
        cells: [...last.cells, ...segment.cells],
        right: segment.right,
        size: Math.max(last.size, segment.size),
        isMonospaced: last.isMonospaced && segment.isMonospaced,
        font: last.font === segment.font ? last.font : undefined,
      };
  }
  return lines;
}
